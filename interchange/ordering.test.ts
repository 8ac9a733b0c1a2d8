import { extractRawText } from 'mammoth';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { readCsv } from './csv/read.ts';
import { writeCsv } from './csv/write.ts';
import { readGift } from './gift/read.ts';
import { writeGift } from './gift/write.ts';
import type { Reader } from './model.ts';
import { readMoodleXml } from './moodle/read.ts';
import { writeMoodleXml } from './moodle/write.ts';
import { sheetKey } from './paper/key.ts';
import { paperVariant } from './paper/variants.ts';
import { writePaper } from './paper/write.ts';
import { readQti } from './qti/read.ts';
import { writeQti2 } from './qti/write.ts';
import { newId } from './testing/round-trip.ts';

const rulers: Question = {
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'ordering',
  text: 'Кто правил раньше?',
  points: 3,
  items: ['Рюрик', 'Ольга', 'Владимир', 'Ярослав'].map((text, index) => ({
    itemId: `i${index + 1}`,
    text,
  })),
};
const given = { title: 'История', questions: [rulers], pictures: new Map() };
const TEXTS = ['Рюрик', 'Ольга', 'Владимир', 'Ярослав'];

const read = async (reader: Reader, text: string) =>
  reader({ name: 'ф', bytes: new TextEncoder().encode(text) }, { newId });
const textsOf = (question: Question | undefined) =>
  question?.kind === 'ordering' ? question.items.map(({ text }) => text) : question?.kind;

test.each([
  ['Moodle XML', writeMoodleXml, readMoodleXml, []],
  ['CSV', writeCsv, readCsv, []],
  [
    'QTI',
    writeQti2,
    readQti,
    ['Вопрос 1: балл за часть порядка не переносится: в других системах здесь всё или ничего'],
  ],
])('%s exports the order and reports what is lost', async (_, write, reader, losses) => {
  const exported = await write(given);
  expect(exported.losses).toEqual(losses);
  const imported = await reader({ name: exported.fileName, bytes: exported.bytes }, { newId });
  expect(imported.items[0]?.question).toMatchObject({ points: 3, text: rulers.text });
  expect(textsOf(imported.items[0]?.question)).toEqual(TEXTS);
});

test('GIFT stores an order as matching of positions, and reports it', async () => {
  const { losses, bytes, fileName } = await writeGift(given);
  expect(losses).toEqual(['Вопрос 1: порядок станет соответствием мест и пунктов']);
  const { items } = await readGift({ name: fileName, bytes }, { newId });
  const question = items[0]?.question;
  if (question?.kind !== 'compliance') throw new Error('a matching question');
  const rightOf = (leftId: string) =>
    question.pairs.find((pair) => pair.leftId === leftId)?.rightId;
  expect(question.left.map(({ text }) => text)).toEqual(TEXTS.map((_, index) => `${index + 1}`));
  expect(
    question.left.map(
      ({ leftId }) => question.right.find(({ rightId }) => rightId === rightOf(leftId))?.text,
    ),
  ).toEqual(TEXTS);
});

const moodle = (settings: string) =>
  `<quiz><question type="ordering"><questiontext format="html"><text>Кто?</text></questiontext>${settings}${TEXTS.map((text) => `<answer fraction="1" format="html"><text>${text}</text></answer>`).join('')}</question></quiz>`;

test.each([
  ['RELATIVE_NEXT_EXCLUDE_LAST', 'ALL', 0],
  ['1', '0', 0],
  ['ABSOLUTE_POSITION', 'ALL', 1],
  ['ALL_OR_NOTHING', 'RANDOM', 2],
])('Moodle’s grading by %s of %s items comes with %i losses', async (grading, selecting, count) => {
  const { items } = await read(
    readMoodleXml,
    moodle(`<gradingtype>${grading}</gradingtype><selecttype>${selecting}</selecttype>`),
  );
  expect(textsOf(items[0]?.question)).toEqual(TEXTS);
  expect(items[0]?.losses).toHaveLength(count);
});

test('reports feedback of Moodle’s items', async () => {
  const file = moodle('<gradingtype>1</gradingtype><selecttype>0</selecttype>');
  const said = file.replace(
    '</answer>',
    '<feedback><text>Первым был он</text></feedback></answer>',
  );
  const { items } = await read(readMoodleXml, said);
  expect(items[0]?.losses).toEqual(['Отзывы на пункты порядка не переносятся']);
});

const qti = (correct: readonly string[], attributes = '') =>
  `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t"><responseDeclaration identifier="RESPONSE" cardinality="ordered" baseType="identifier"><correctResponse>${correct.map((name) => `<value>${name}</value>`).join('')}</correctResponse></responseDeclaration><itemBody><orderInteraction responseIdentifier="RESPONSE" shuffle="true"${attributes}><prompt>Кто раньше?</prompt><simpleChoice identifier="A">Ольга</simpleChoice><simpleChoice identifier="B">Рюрик</simpleChoice></orderInteraction></itemBody></assessmentItem>`;

test('items of QTI stand in the declared order; all of it must be there', async () => {
  const whole = await read(readQti, qti(['B', 'A']));
  expect(textsOf(whole.items[0]?.question)).toEqual(['Рюрик', 'Ольга']);
  expect(whole.items[0]?.losses).toHaveLength(1);
  const part = await read(readQti, qti(['B', 'A'], ' maxChoices="1"'));
  expect(part.items[0]?.losses).toHaveLength(2);
  for (const correct of [['B'], [], ['B', 'B']]) {
    const { refused } = await read(readQti, qti(correct));
    expect(refused[0]?.reason, correct.join()).toContain(
      'Верного порядка всех пунктов в файле нет',
    );
  }
});

test('the column of right answers is not read as the order, with a note', async () => {
  const { items } = await read(
    readCsv,
    'Вид;Вопрос;Верные;Вариант 1;Вариант 2\nпорядок;Кто раньше?;2;Рюрик;Ольга\n',
  );
  expect(textsOf(items[0]?.question)).toEqual(['Рюрик', 'Ольга']);
  expect(items[0]?.losses).toEqual([
    'Верный порядок – порядок столбцов «Вариант»; столбец верных не прочитан',
  ]);
});

test('on paper the items are lettered in an order of each variant, and the key names the letters', async () => {
  const keys = Array.from({ length: 20 }, (_, index) => {
    const [selected] = paperVariant([rulers], index + 1, { isShuffled: false });
    if (selected?.shown.kind !== 'ordering') throw new Error('another kind');
    const shown = selected.shown.items.map(({ text }) => text);
    const letters = sheetKey(selected).split(' ');
    expect(letters.map((letter) => shown['АБВГ'.indexOf(letter)])).toEqual(TEXTS);
    return letters.join();
  });
  expect(new Set(keys).size).toBeGreaterThan(8);
  const { bytes } = await writePaper({ ...given, variants: 1, isShuffled: false, part: 'sheets' });
  const { value } = await extractRawText({ buffer: Buffer.from(bytes) });
  expect(value).toContain('Расставьте по порядку');
});
