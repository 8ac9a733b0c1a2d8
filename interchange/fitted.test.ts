import { expect, test } from 'vitest';
import { readCsv } from './csv/read.ts';
import { fitted } from './fitted.ts';
import { readMoodleXml } from './moodle/read.ts';
import { readQti } from './qti/read.ts';
import { tools } from './testing/looks.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const withTypes = (accept: string[]) =>
  fitted({ questionId: tools.newId(), kind: 'file', text: 'Файл', points: 1, maxBytes: 9, accept });

test.each([
  [
    'as people write them',
    ['PDF', '*.docx', ' .Py ', 'image/*'],
    ['.pdf', '.docx', '.py', 'image/*'],
  ],
  ['each once', ['.zip', 'zip', '.ZIP'], ['.zip']],
  ['any file at all', ['.pdf', '*/*'], []],
])('types of a file question come in %s', (_, written, accept) => {
  expect(withTypes(written)).toMatchObject({ question: { accept }, losses: [] });
});

test('an unknown type is left out and reported, and no list is cut silently', () => {
  expect(withTypes(['любые картинки', '.pdf', ''])).toMatchObject({
    question: { accept: ['.pdf'] },
    losses: ['Типы файлов не переносятся: любые картинки'],
  });
  const many = Array.from({ length: 30 }, (_, index) => `.t${index}`);
  expect(withTypes(many)).toMatchObject({
    question: { accept: many.slice(0, 20) },
    losses: ['Перенесены первые 20 типов файлов из 30'],
  });
});

test('a table, Moodle and QTI import only types that the server accepts', async () => {
  const table = await readCsv(
    {
      name: 'a.csv',
      bytes: bytesOf('Вопрос;Вид;Верные;Типы файлов\nПриложите код;файл;;py, PDF\n'),
    },
    tools,
  );
  expect(table.items[0]?.question).toMatchObject({ kind: 'file', accept: ['.py', '.pdf'] });
  const moodle = await readMoodleXml(
    {
      name: 'a.xml',
      bytes: bytesOf(
        '<?xml version="1.0"?><quiz><question type="essay"><name><text>Имя</text></name><questiontext format="html"><text>Код</text></questiontext><responseformat>noinline</responseformat><attachments>1</attachments><filetypeslist>web_audio,.PY,*</filetypeslist></question></quiz>',
      ),
    },
    tools,
  );
  expect(moodle.items[0]).toMatchObject({ question: { kind: 'file', accept: [] } });
  const qti = await readQti(
    {
      name: 'item.xml',
      bytes: bytesOf(
        '<?xml version="1.0"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Т" adaptive="false" timeDependent="false"><responseDeclaration identifier="RESPONSE" cardinality="single" baseType="file"/><itemBody><p>Файл</p><uploadInteraction responseIdentifier="RESPONSE" type="Application/PDF"/></itemBody></assessmentItem>',
      ),
    },
    tools,
  );
  expect(qti.items[0]?.question).toMatchObject({ kind: 'file', accept: ['application/pdf'] });
});
