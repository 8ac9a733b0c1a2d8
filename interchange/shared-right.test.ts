import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { questionProblems } from '#domain/publishing.ts';
import { readCsv } from './csv/read.ts';
import { writeCsv } from './csv/write.ts';
import { readGift } from './gift/read.ts';
import { writeGift } from './gift/write.ts';
import { readMarkedText } from './marked/read.ts';
import type { Reader, Writer } from './model.ts';
import { readMoodleXml } from './moodle/read.ts';
import { writeMoodleXml } from './moodle/write.ts';
import { readQti } from './qti/read.ts';
import { writeQti2, writeQti3 } from './qti/write.ts';
import { tools } from './testing/looks.ts';

const subquestion = (left: string, right: string) =>
  `<subquestion format="html"><text>${left && `<![CDATA[<p>${left}</p>]]>`}</text><answer><text>${right}</text></answer></subquestion>`;

/** As Moodle exports it: a right side for several left ones, and a distractor. */
const MOODLE = `<?xml version="1.0" encoding="UTF-8"?>
<quiz><question type="matching">
  <name><text>Классы</text></name>
  <questiontext format="html"><text><![CDATA[<p>К какому классу относится животное?</p>]]></text></questiontext>
  <defaultgrade>3.0000000</defaultgrade><shuffleanswers>true</shuffleanswers>
  ${subquestion('кит', 'звери')}${subquestion('крот', 'звери')}${subquestion('сом', 'рыбы')}${subquestion('', 'птицы')}
</question></quiz>`;
const GIFT =
  'К какому классу относится животное? {=кит -> звери =крот -> звери =сом -> рыбы = -> птицы}';
const MARKED = [
  'I:',
  'S: К какому классу относится животное?',
  'L1: кит',
  'R1: звери',
  'L2: крот',
  'R2: звери',
  'L3: сом',
  'R3: рыбы',
  'R4: птицы',
].join('\n');
const CSV = [
  'Вопрос;Вид;Вариант 1;Вариант 2;Вариант 3;Вариант 4;Пара 1;Пара 2;Пара 3;Пара 4',
  'К какому классу относится животное?;соответствие;кит;крот;сом;;звери;звери;рыбы;птицы',
].join('\n');
const set = (side: string, most: number, names: readonly string[]) =>
  `<simpleMatchSet>${names.map((name, index) => `<simpleAssociableChoice identifier="${side}${index}" matchMax="${most}">${name}</simpleAssociableChoice>`).join('')}</simpleMatchSet>`;
const qti = (most: number, ...pairs: string[]) =>
  `<?xml version="1.0"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Классы" adaptive="false" timeDependent="false"><responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="directedPair"><correctResponse>${pairs.map((pair) => `<value>${pair}</value>`).join('')}</correctResponse><mapping defaultValue="0">${pairs.map((pair) => `<mapEntry mapKey="${pair}" mappedValue="1"/>`).join('')}</mapping></responseDeclaration><itemBody><p>К какому классу относится животное?</p><matchInteraction responseIdentifier="RESPONSE" shuffle="true" maxAssociations="3">${set('L', 1, ['кит', 'крот', 'сом'])}${set('R', most, ['звери', 'рыбы', 'птицы'])}</matchInteraction></itemBody><responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/></assessmentItem>`;

async function readOne(read: Reader, name: string, text: string) {
  const { items, refused } = await read({ name, bytes: new TextEncoder().encode(text) }, tools);
  const item = items[0];
  if (item?.question.kind !== 'compliance') throw new Error(JSON.stringify(refused));
  const { question, losses } = item;
  return { question, losses };
}

const rowsOf = ({ left, right, pairs }: Extract<Question, { kind: 'compliance' }>) =>
  left.map(({ leftId, text }) => {
    const rightId = pairs.find((pair) => pair.leftId === leftId)?.rightId;
    return [text, right.find((item) => item.rightId === rightId)?.text];
  });

const FORMATS: readonly [string, Reader, string, string, Writer | null][] = [
  ['Moodle XML', readMoodleXml, 'a.xml', MOODLE, writeMoodleXml],
  ['GIFT', readGift, 'a.gift', GIFT, writeGift],
  ['CSV', readCsv, 'a.csv', CSV, writeCsv],
  ['QTI 2', readQti, 'item.xml', qti(3, 'L0 R0', 'L1 R0', 'L2 R1'), writeQti2],
  ['QTI 3', readQti, 'item.xml', qti(0, 'L0 R0', 'L1 R0', 'L2 R1'), writeQti3],
  ['marked text', readMarkedText, 'a.txt', MARKED, null],
];

test.each(FORMATS)(
  '%s: one right side for several left ones comes in whole, can be published, and goes out again',
  async (_, read, name, text, write) => {
    const { question, losses } = await readOne(read, name, text);
    expect(losses).toEqual([]);
    expect(rowsOf(question)).toEqual([
      ['кит', 'звери'],
      ['крот', 'звери'],
      ['сом', 'рыбы'],
    ]);
    expect(question.right.map((item) => item.text)).toEqual(['звери', 'рыбы', 'птицы']);
    expect(question.reuse).toBe(true);
    expect(questionProblems(question)).toEqual([]);
    if (!write) return;
    const out = await write({ title: 'Тест', questions: [question], pictures: new Map() });
    expect(out.losses).toEqual([]);
    const back = await read({ name: out.fileName, bytes: out.bytes }, tools);
    const again = back.items[0]?.question;
    if (again?.kind !== 'compliance') throw new Error(JSON.stringify(back));
    expect([rowsOf(again), again.right.length, again.reuse]).toEqual([rowsOf(question), 3, true]);
  },
);

test('QTI says itself whether a right side may be used again', async () => {
  const once = await readOne(readQti, 'item.xml', qti(1, 'L0 R0', 'L1 R1', 'L2 R2'));
  expect(once.question.reuse).toBeUndefined();
  const again = await readOne(readQti, 'item.xml', qti(2, 'L0 R0', 'L1 R1', 'L2 R2'));
  expect(again.question.reuse).toBe(true);
});
