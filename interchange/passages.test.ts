import { extractRawText } from 'mammoth';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { writeAiken } from './aiken/write.ts';
import { writeCsv } from './csv/write.ts';
import { readGift } from './gift/read.ts';
import { writeGift } from './gift/write.ts';
import { MAX_HTML_CHARACTERS } from './html/to-markdown.ts';
import type { Imported, Reader } from './model.ts';
import { readMoodleXml } from './moodle/read.ts';
import { writeMoodleXml } from './moodle/write.ts';
import { paperVariant } from './paper/variants.ts';
import { writePaper } from './paper/write.ts';
import { readQti } from './qti/read.ts';
import { writeQti2 } from './qti/write.ts';
import { newId } from './testing/round-trip.ts';

const read = (reader: Reader, text: string) =>
  reader({ name: 'ф', bytes: new TextEncoder().encode(text) }, { newId });
/** Questions by the texts that they share. */
const sharedIn = ({ items }: Pick<Imported, 'items'>) =>
  items.map(({ question }) => [question.text, question.passage?.text ?? null]);

const html = (text: string) => `<questiontext format="html"><text>${text}</text></questiontext>`;
const quiz = (...questions: string[]) =>
  `<quiz>${questions.map((one) => (one.startsWith('<') ? one : moodle(one))).join('')}</quiz>`;
const moodle = (text: string) =>
  `<question type="shortanswer">${html(text)}<answer fraction="100"><text>да</text></answer></question>`;
const description = (text: string) => `<question type="description">${html(text)}</question>`;
const category = (name: string) =>
  `<question type="category"><category><text>$course$/${name}</text></category></question>`;

const CASES: readonly [string, Reader, string, string][] = [
  [
    'GIFT',
    readGift,
    'А?{=да}\n\nОтрывок 1\n\nБ?{=да}\n\nВ?{=да}\n\nОтрывок 2\n\nГ?{=да}\n\n$CATEGORY: Другая\n\nД?{=да}',
    'Отрывок 3',
  ],
  [
    'Moodle XML',
    readMoodleXml,
    quiz(
      'А?',
      description('Отрывок 1'),
      'Б?',
      'В?',
      description('Отрывок 2'),
      'Г?',
      category('Д'),
      'Д?',
    ),
    description('Отрывок 3'),
  ],
];

test.each(CASES)(
  'texts of %s between questions are shared by the next ones and reported',
  async (_, reader, file) => {
    const imported = await read(reader, file);
    expect(sharedIn(imported)).toEqual([
      ['А?', null],
      ['Б?', 'Отрывок 1'],
      ['В?', 'Отрывок 1'],
      ['Г?', 'Отрывок 2'],
      ['Д?', null],
    ]);
    const ids = imported.items.map(({ question }) => question.passage?.passageId);
    expect(ids[1]).toBe(ids[2]);
    expect(ids[3]).not.toBe(ids[1]);
    const reported = imported.notes.filter((note) => note.startsWith('Пояснение'));
    expect(reported).toHaveLength(2);
    expect(reported[0]).toContain('Пояснение «Отрывок 1» (строка');
    expect(imported.refused).toEqual([]);
  },
);

test.each([
  ['GIFT', readGift, 'А?{=да}\n\nОтрывок 3\n\nПлохой{=1 ~2'],
  ['Moodle XML', readMoodleXml, quiz('А?', description('Отрывок 3'), '<question type="cloze"/>')],
])('a text of %s that no question follows is refused with its reason', async (_, reader, file) => {
  const { refused, items, notes } = await read(reader, file);
  expect(items).toHaveLength(1);
  expect(refused.map(({ excerpt }) => excerpt)).toContain('Отрывок 3');
  expect(notes.join()).not.toContain('Отрывок 3');
});

test('a text of Moodle that is too long to be read ends the one before it', async () => {
  const long = description('я'.repeat(MAX_HTML_CHARACTERS + 1));
  const { items, refused } = await read(
    readMoodleXml,
    quiz(description('Отрывок'), 'А?', long, 'Б?'),
  );
  expect(sharedIn({ items })).toEqual([
    ['А?', 'Отрывок'],
    ['Б?', null],
  ]);
  expect(refused).toMatchObject([{ reason: 'Текст слишком длинный. Разделите его на части' }]);
});

test('of many such texts the first are named', async () => {
  const file = Array.from({ length: 13 }, (_, n) => `Отрывок ${n}\n\nВопрос ${n}?{=да}\n`).join(
    '\n',
  );
  const { notes } = await read(readGift, file);
  expect(notes).toHaveLength(11);
  expect(notes.at(-1)).toContain('Дальше в файле есть ещё пояснения');
});

const open = (number: number, passage?: Question['passage'], topic?: string): Question => ({
  questionId: `00000000-0000-4000-8000-00000000000${number}`,
  kind: 'open',
  input: 'line',
  text: `Вопрос ${number}?`,
  points: 1,
  accepted: [{ text: 'да', share: 1 }],
  tolerance: 0,
  ...(passage && { passage }),
  ...(topic !== undefined && { topic }),
});
const [first, second] = [1, 2].map((n) => ({
  passageId: `10000000-0000-4000-8000-00000000000${n}`,
  text: `Отрывок ${n}\n\nвторой абзац`,
}));
const questions = [
  open(1),
  open(2, first),
  open(3, first, 'Тема'),
  open(4, second, 'Тема'),
  open(5, undefined, 'Тема'),
  open(6, second, 'Тема'),
];
const given = { title: 'Чтение', questions, pictures: new Map() };

test.each([
  ['GIFT', writeGift, readGift],
  ['Moodle XML', writeMoodleXml, readMoodleXml],
])(
  '%s carries shared texts, also across categories and past questions without one',
  async (_, write, reader) => {
    const { fileName, bytes, losses } = await write(given);
    expect(losses).toEqual([]);
    const imported = await reader({ name: fileName, bytes }, { newId });
    expect(sharedIn(imported)).toEqual(
      questions.map(({ text, passage }) => [text, passage?.text ?? null]),
    );
  },
);

test.each([
  ['QTI', writeQti2],
  ['CSV', writeCsv],
])('in %s a shared text becomes part of each question and is reported', async (_, write) => {
  const { losses } = await write(given);
  expect(losses.filter((loss) => loss.includes('общий текст войдёт'))).toEqual(
    [2, 3, 4, 6].map((number) => `Вопрос ${number}: общий текст войдёт в текст вопроса`),
  );
});

test('QTI reads the merged text', async () => {
  const { fileName, bytes } = await writeQti2({ ...given, questions: [open(2, first)] });
  const { items } = await readQti({ name: fileName, bytes }, { newId });
  expect(items[0]?.question.text).toBe('Отрывок 1\n\nвторой абзац\n\nВопрос 2?');
});

test('Aiken writes only choices and also reports their shared text', async () => {
  const choice: Question = {
    ...open(1, first),
    kind: 'variant',
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    options: ['да', 'нет'].map((text, index) => ({
      optionId: text,
      text,
      isRight: index === 0,
    })),
  };
  const { bytes, losses } = await writeAiken({ ...given, questions: [choice] });
  expect(new TextDecoder().decode(bytes)).toContain('Отрывок 1');
  expect(losses).toContain('Вопрос 1: общий текст войдёт в текст вопроса');
});

test('on paper a shared text stands once, before its questions, which stay together when shuffled', async () => {
  const group = [open(1), open(2, first), open(3, first), open(4, first), open(5), open(6, second)];
  const { bytes } = await writePaper({
    title: 'Чтение',
    questions: group,
    pictures: new Map(),
    variants: 1,
    isShuffled: false,
    part: 'sheets',
  });
  const { value } = await extractRawText({ buffer: Buffer.from(bytes) });
  const lines = value.split('\n').filter((line) => /^Отрывок|^\d\./.test(line));
  expect(lines).toEqual([
    '1.\tВопрос 1?',
    'Отрывок 1',
    '2.\tВопрос 2?',
    '3.\tВопрос 3?',
    '4.\tВопрос 4?',
    '5.\tВопрос 5?',
    'Отрывок 2',
    '6.\tВопрос 6?',
  ]);
  for (let variant = 1; variant <= 20; variant += 1) {
    const texts = paperVariant(group, variant, { isShuffled: true }).map(
      ({ question }) => question.text,
    );
    const at = texts.indexOf('Вопрос 2?');
    expect(texts.slice(at, at + 3)).toEqual(['Вопрос 2?', 'Вопрос 3?', 'Вопрос 4?']);
  }
});

test.each([
  ['GIFT', readGift, `А?{=да}\n\n${'т'.repeat(24_000)}\n\nБ?{=да}`],
  ['Moodle XML', readMoodleXml, quiz('А?', description('т'.repeat(24_000)), 'Б?')],
  [
    'Moodle XML, beyond what is parsed',
    readMoodleXml,
    quiz('А?', description('т'.repeat(240_000)), 'Б?'),
  ],
] as [string, Reader, string][])(
  'a text that is too long for a question is refused by itself: %s',
  async (_, reader, text) => {
    const imported = await read(reader, text);
    expect(sharedIn(imported)).toEqual([
      ['А?', null],
      ['Б?', null],
    ]);
    expect(imported.refused).toHaveLength(1);
    expect(imported.refused[0]?.reason).toMatch(/длинн/);
  },
);
