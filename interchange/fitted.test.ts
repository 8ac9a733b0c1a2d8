import { expect, test } from 'vitest';
import { QUESTION_TITLE_CHARACTERS, TAG_CHARACTERS } from '#contract/limits.ts';
import { questionProblems } from '#domain/publishing.ts';
import { readCsv } from './csv/read.ts';
import { fitted } from './fitted.ts';
import { readGift } from './gift/read.ts';
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

test('a name, a topic and a tag that are too long are cut before a character, never within it', () => {
  const long = (characters: number) => `${'а'.repeat(characters - 1)}😀${'б'.repeat(9)}`;
  const given = {
    questionId: tools.newId(),
    kind: 'file',
    text: 'Файл',
    points: 1,
    maxBytes: 9,
    accept: [],
    title: long(QUESTION_TITLE_CHARACTERS),
    topic: long(200),
    tags: [long(TAG_CHARACTERS)],
  } as const;
  expect(fitted({ ...given, accept: [], tags: [...given.tags] })).toMatchObject({
    question: {
      title: 'а'.repeat(QUESTION_TITLE_CHARACTERS - 1),
      topic: 'а'.repeat(199),
      tags: ['а'.repeat(TAG_CHARACTERS - 1)],
    },
  });
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

const shortAnswers = (
  ...answers: [text: string, fraction: string, feedback?: string][]
) => `<?xml version="1.0" encoding="UTF-8"?>
<quiz><question type="shortanswer">
  <name><text>Столица</text></name>
  <questiontext format="html"><text><![CDATA[<p>Столица Франции?</p>]]></text></questiontext>
  <defaultgrade>1.0000000</defaultgrade><usecase>0</usecase>
  ${answers.map(([text, fraction, feedback = '']) => `<answer fraction="${fraction}" format="moodle_auto_format"><text>${text}</text><feedback format="html"><text>${feedback}</text></feedback></answer>`).join('\n  ')}
</question></quiz>`;

async function readShortAnswers(...answers: Parameters<typeof shortAnswers>) {
  const bytes = bytesOf(shortAnswers(...answers));
  return (await readMoodleXml({ name: 'a.xml', bytes }, tools)).items[0];
}

test('equal accepted answers of Moodle are merged with the best share and reported at the question', async () => {
  const item = await readShortAnswers(
    ['париж', '50', 'Имена пишут с прописной'],
    ['Лютеция', '80'],
    [' Париж ', '100'],
    ['ПАРИЖ', '100', 'Верно'],
  );
  expect(item?.question).toMatchObject({
    accepted: [
      { text: 'Париж', share: 1, feedback: 'Верно' },
      { text: 'Лютеция', share: 0.8 },
    ],
  });
  expect(item?.losses).toEqual([
    'Одинаковые ответы «париж», «Париж», «ПАРИЖ» объединены, взята наибольшая доля баллов',
  ]);
  expect(item && questionProblems(item.question)).toEqual([]);
});

test('answers that equal as numbers are made one; those with another tolerance stay and can be published', async () => {
  const { items } = await readGift(
    {
      name: 'a.gift',
      bytes: bytesOf('Доля? {=0,5 =0.50 =половина}\n\nГод? {#=1822:0 =%50%1822:2}\n'),
    },
    tools,
  );
  expect(items.map(({ question }) => 'accepted' in question && question.accepted)).toEqual([
    [
      { text: '0,5', share: 1 },
      { text: 'половина', share: 1 },
    ],
    [
      { text: '1822', share: 1 },
      { text: '1822', share: 0.5, tolerance: 2 },
    ],
  ]);
  expect(items.map(({ losses }) => losses)).toEqual([
    ['Одинаковые ответы «0,5», «0.50» объединены'],
    [],
  ]);
  expect(items.flatMap(({ question }) => questionProblems(question))).toEqual([]);
});

test('a right text that a file repeats for each of its left items becomes one item', () => {
  const pairs = [1, 2].map((at) => ({ leftId: `l${at}`, rightId: `r${at}` }));
  const matching = fitted({
    questionId: tools.newId(),
    kind: 'compliance',
    text: 'Соотнесите',
    points: 1,
    shuffle: true,
    left: pairs.map(({ leftId }) => ({ leftId, text: leftId })),
    right: pairs.map(({ rightId }) => ({ rightId, text: 'рыбы' })),
    pairs,
  });
  expect(matching).toMatchObject({
    question: {
      reuse: true,
      right: [{ rightId: 'r1' }],
      pairs: [{ rightId: 'r1' }, { rightId: 'r1' }],
    },
  });
});
