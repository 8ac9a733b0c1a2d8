import { expect, test } from 'vitest';
import { readMoodleXml } from '#interchange/moodle/read.ts';
import { newId } from '#app/lib/new-id.ts';
import { sourcesOf } from './source.ts';

const PICTURES = ['AAAA', 'AAAB'];

const question = (text: string, answer: string, picture: string) => `<question type="shortanswer">
  <name><text>Знак</text></name>
  <questiontext format="html"><text><![CDATA[<p>${text}</p><p><img src="@@PLUGINFILE@@/a.png" alt="знак"></p>]]></text>
    <file name="a.png" path="/" encoding="base64">iVBORw0KGgoA${picture}</file></questiontext>
  <answer fraction="100"><text>${answer}</text></answer></question>`;

const read = async (...questions: string[]) => {
  const bytes = new TextEncoder().encode(`<?xml version="1.0"?><quiz>${questions.join('')}</quiz>`);
  return sourcesOf(await readMoodleXml({ name: 'a.xml', bytes }, { newId }));
};

test('an item is known again when its file is read again, wherever it stands', async () => {
  const [first = '', second = ''] = PICTURES.map((picture) => question('Знак?', 'стоп', picture));
  const before = await read(first, second);
  expect(await read(second, first)).toEqual(before.toReversed());
  expect(new Set(before).size).toBe(2);
});

test.each([
  ['text', question('Какой знак?', 'стоп', 'AAAA')],
  ['key', question('Знак?', 'уступи', 'AAAA')],
  ['picture', question('Знак?', 'стоп', 'AAAB')],
])('another %s makes another item', async (_, other) => {
  const [own, changed] = await read(question('Знак?', 'стоп', 'AAAA'), other);
  expect(changed).not.toBe(own);
});
