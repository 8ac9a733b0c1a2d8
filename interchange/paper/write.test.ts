import fc from 'fast-check';
import { convertToHtml, extractRawText } from 'mammoth';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { letterOf } from '#domain/format.ts';
import { readArchive } from '#interchange/archive.ts';
import { exportedTest, PICTURES, publishable } from '#interchange/testing/question-arbitrary.ts';
import { everyElement, readXml } from '#interchange/xml.ts';
import { sheetKey } from './key.ts';
import { paperVariant } from './variants.ts';
import { writePaper, type PaperPicture, type PaperTest } from './write.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const PICTURE_KEY = [...PICTURES.keys()][0] ?? '';
const pictures = new Map(
  [...PICTURES].map(([key, { bytes }]): [string, PaperPicture] => [
    key,
    { mimeType: 'image/png', bytes, width: 4_000, height: 1_000 },
  ]),
);

const base = (number: number, text: string, points = 1) => ({
  questionId: id(number),
  text,
  points,
});
const choice = (
  number: number,
  text: string,
  options: readonly string[],
  more: Partial<Extract<Question, { kind: 'variant' }>> = {},
): Question => ({
  ...base(number, text),
  kind: 'variant',
  multiple: false,
  shuffle: true,
  scoring: 'partial',
  // The first is right.
  options: options.map((label, place) => ({
    optionId: `o${place}`,
    text: label,
    isRight: place === 0,
  })),
  ...more,
});
const capitals: Question = {
  ...base(2, 'Соотнесите', 3),
  kind: 'compliance',
  shuffle: true,
  left: ['Франция', 'Италия'].map((text, place) => ({ leftId: `l${place}`, text })),
  right: ['Париж', 'Рим', 'Осло'].map((text, place) => ({ rightId: `r${place}`, text })),
  pairs: [0, 1].map((place) => ({ leftId: `l${place}`, rightId: `r${place}` })),
};
const number: Question = {
  ...base(3, 'Чему равно g?'),
  kind: 'open',
  input: 'number',
  accepted: [
    { text: '9,8', share: 1 },
    { text: '10', share: 0.5, tolerance: 0 },
    { text: '11', share: 0 },
  ],
  tolerance: 0.1,
};
const essay: Question = {
  ...base(4, 'Расскажите'),
  kind: 'open',
  input: 'text',
  accepted: [],
  tolerance: 0,
};
const upload: Question = { ...base(5, 'Нарисуйте'), kind: 'file', maxBytes: 1, accept: [] };
const six = ['А1', 'Б2', 'В3', 'Г4', 'Д5', 'Е6'];

const paper = (questions: readonly Question[], more: Partial<PaperTest> = {}) =>
  writePaper({
    title: 'Физика',
    questions,
    pictures,
    variants: 1,
    isShuffled: false,
    part: 'sheets',
    ...more,
  });

/** A second reader of Word documents: the text, a line for each paragraph. */
async function linesOf(questions: readonly Question[], more: Partial<PaperTest> = {}) {
  const { bytes } = await paper(questions, more);
  const { value, messages } = await extractRawText({ buffer: Buffer.from(bytes) });
  expect(messages).toEqual([]);
  return value.split('\n').filter((line) => line.trim() !== '');
}

test('a sheet asks every kind of question with a place for its answer', async () => {
  const lines = await linesOf([
    choice(1, 'Что верно?', ['да', 'нет'], { shuffle: false }),
    capitals,
    number,
    essay,
    upload,
  ]);
  expect(lines).toEqual([
    'Физика',
    'Фамилия, имя \t Класс \t Дата \t',
    '1.\tЧто верно?',
    'Обведите букву верного ответа. 1 балл.',
    'А)\tда',
    'Б)\tнет',
    '2.\tСоотнесите',
    'Впишите под каждым номером букву. 3 балла.',
    '1)\tФранция',
    '2)\tИталия',
    'А)\tОсло',
    'Б)\tПариж',
    'В)\tРим',
    '1',
    '2',
    '3.\tЧему равно g?',
    'Запишите число. 1 балл.',
    'Ответ: \t',
    '4.\tРасскажите',
    'Запишите развёрнутый ответ. 1 балл.',
    '5.\tНарисуйте',
    'Выполните на отдельном листе. 1 балл.',
  ]);
});

test('nothing of the key is on a sheet', async () => {
  const secret = { explanation: 'СЕКРЕТ', title: 'СЕКРЕТ', topic: 'СЕКРЕТ', tags: ['СЕКРЕТ'] };
  const lines = await linesOf([
    { ...number, ...secret },
    choice(1, 'Что?', six, { ...secret }),
    { ...capitals, ...secret },
  ]);
  expect(lines.join()).not.toMatch(/СЕКРЕТ|9,8/);
});

test('several right options and reused right sides are stated', async () => {
  const lines = await linesOf([
    choice(1, 'Что верно?', ['да', 'нет'], { multiple: true }),
    { ...capitals, reuse: true },
  ]);
  expect(lines).toContain('Обведите буквы всех верных ответов. 1 балл.');
  expect(lines).toContain('Впишите под каждым номером букву. Буквы могут повторяться. 3 балла.');
});

test('the key names each answer as the sheet does, and the sum of the points', async () => {
  const lines = await linesOf([choice(1, 'Что?', six), capitals, number, essay, upload], {
    part: 'key',
  });
  expect(lines.slice(0, 4)).toEqual(['Ключи к тесту «Физика»', '№', 'Ответ', 'Баллы']);
  expect(lines).toContain('9,8 ± 0,1; 10 (50\u00a0% баллов)');
  expect(lines.filter((line) => line === 'проверяет преподаватель')).toHaveLength(2);
  expect(lines.slice(-2)).toEqual(['Всего', '7']);
});

const variantOf = (questions: readonly Question[], variant: number, isShuffled = false) =>
  paperVariant(questions, variant, { isShuffled });

test('on every variant the key’s letters lead to the right options and sides', () => {
  for (let variant = 1; variant <= 30; variant += 1) {
    for (const one of variantOf([choice(1, 'Что?', six), capitals], variant, true)) {
      if (one.shown.kind === 'variant') {
        const place = one.shown.options.findIndex(({ optionId }) => optionId === 'o0');
        expect(sheetKey(one)).toBe(letterOf(place));
      } else if (one.shown.kind === 'compliance') {
        const letters = ['r0', 'r1'].map((right) =>
          letterOf(
            one.shown.kind === 'compliance'
              ? one.shown.right.findIndex(({ rightId }) => rightId === right)
              : 0,
          ),
        );
        expect(sheetKey(one)).toBe(`1 — ${letters[0]}, 2 — ${letters[1]}`);
      }
    }
  }
});

test('variants differ, each is always the same, and only what may be shuffled is', () => {
  const questions = [choice(1, 'Что?', six), choice(6, 'Где?', six, { shuffle: false }), number];
  const orders = (isShuffled: boolean) =>
    Array.from({ length: 30 }, (_, index) => variantOf(questions, index + 1, isShuffled));
  const optionsOf = (questionId: string) =>
    orders(false).map((selected) => {
      const shown = selected.find(({ question }) => question.questionId === questionId)?.shown;
      return shown?.kind === 'variant' ? shown.options.map(({ optionId }) => optionId).join() : '';
    });
  expect(new Set(optionsOf(id(1))).size).toBeGreaterThan(20);
  expect(new Set(optionsOf(id(6)))).toEqual(new Set(['o0,o1,o2,o3,o4,o5']));
  expect(orders(true)).toEqual(orders(true));
  const sequences = (isShuffled: boolean) =>
    new Set(
      orders(isShuffled).map((selected) =>
        selected.map(({ question }) => question.questionId).join(),
      ),
    );
  expect(sequences(false).size).toBe(1);
  expect(sequences(true).size).toBe(6);
});

test('the right column never has the typed order; without shuffling it is equal on all sheets', () => {
  const sides = six.map((text, place) => ({ leftId: `l${place}`, rightId: `r${place}`, text }));
  const rightOn = (shuffle: boolean) =>
    Array.from({ length: 30 }, (_, index) => {
      const typed = { ...capitals, shuffle, left: sides, right: sides };
      const [selected] = variantOf([typed], index + 1);
      return selected?.shown.kind === 'compliance'
        ? selected.shown.right.map(({ rightId }) => rightId).join()
        : '';
    });
  expect(new Set(rightOn(true)).size).toBeGreaterThan(20);
  expect(new Set(rightOn(false)).size).toBe(1);
  expect(rightOn(false)[0]).not.toBe('r0,r1,r2,r3,r4,r5');
});

test('of alternatives each variant has the next one', async () => {
  const questions = ['первая', 'вторая', 'третья'].map((text, place) =>
    choice(place + 1, text, six, { variantOf: id(9) }),
  );
  const lines = await linesOf(questions, { variants: 4 });
  expect(lines.filter((line) => line.startsWith('1.') || line.startsWith('Вариант'))).toEqual([
    'Вариант 1',
    '1.\tпервая',
    'Вариант 2',
    '1.\tвторая',
    'Вариант 3',
    '1.\tтретья',
    'Вариант 4',
    '1.\tпервая',
  ]);
});

const partOf = (bytes: Uint8Array, path: string) =>
  new TextDecoder().decode(readArchive(bytes).files.get(path)?.() ?? new Uint8Array());

test('each variant is a section that begins on page 1, with its name in the header', async () => {
  const { bytes } = await paper([number], { variants: 3 });
  const document = partOf(bytes, 'word/document.xml');
  expect(document.match(/<w:pgNumType w:start="1"\/>/g)).toHaveLength(3);
  expect(partOf(bytes, 'word/header3.xml')).toContain('Физика. Вариант 3');
});

test('a question stays on one page: all its paragraphs but the last hold to the next', async () => {
  const { bytes } = await paper([choice(1, 'Что?', ['да', 'нет'], { shuffle: false })]);
  const { root } = readXml(
    readArchive(bytes).files.get('word/document.xml')?.() ?? new Uint8Array(),
  );
  const unbroken = [...everyElement(root)]
    .filter(({ name }) => name === 'p')
    .map((paragraph) => [...everyElement(paragraph)].some(({ name }) => name === 'keepNext'));
  // The heading, the name line, four of the question, and the space after it.
  expect(unbroken).toEqual([true, false, true, true, true, true, false]);
});

test('texts retain emphasis, lists, tables, code and link addresses', async () => {
  const text =
    '**важно** и *курсив*\n\n- раз\n- два\n\n3. три\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx\n y\n```\n\n[сайт](https://example.org/)';
  const { bytes } = await paper([{ ...essay, text }]);
  const { value } = await convertToHtml({ buffer: Buffer.from(bytes) });
  expect(value).toContain('<strong>важно</strong> и <em>курсив</em>');
  expect(value).toContain('•</strong>\tраз');
  expect(value).toContain('3.</strong>\tтри');
  expect(value).toMatch(/<table>.*<td>.*1.*<\/td>.*<td>.*2.*<\/td>.*<\/table>/);
  expect(value).toContain('x<br /> y');
  expect(value).toContain('сайт (https://example.org/)');
});

test('a picture fits the line, is stored once, and its description is for those who cannot see it', async () => {
  const text = `До ![схема](file:${PICTURE_KEY}) после`;
  const { bytes, losses } = await paper(
    [
      { ...essay, text },
      { ...number, text },
    ],
    { variants: 2 },
  );
  const document = partOf(bytes, 'word/document.xml');
  expect(document.match(/<w:drawing>/g)).toHaveLength(4);
  expect(document).toContain('descr="схема"');
  const [, cx, cy] = /<wp:extent cx="(\d+)" cy="(\d+)"\/>/.exec(document) ?? [];
  expect(Number(cx)).toBeLessThanOrEqual(17.5 * 360_000);
  expect(Number(cx) / Number(cy)).toBeCloseTo(4, 2);
  const media = [...readArchive(bytes).files.keys()].filter((path) => path.includes('media/'));
  expect(media).toEqual(['word/media/picture1.png']);
  expect(losses).toEqual([]);
});

test('content that a sheet cannot show is reported with the question number', async () => {
  const { losses } = await paper(
    [number, { ...essay, text: '![карта](file:33333333-3333-4333-8333-333333333333) $\\frac{$' }],
    { variants: 5, isShuffled: true },
  );
  expect(losses).toEqual([
    'Вопрос 2: картинки нет, осталось её описание',
    'Вопрос 2: формула с ошибкой останется текстом',
  ]);
});

test('every random test becomes well-formed documents that another reader opens', async () => {
  await fc.assert(
    fc.asyncProperty(exportedTest(publishable), fc.boolean(), async (given, isShuffled) => {
      for (const part of ['sheets', 'key'] as const) {
        const { bytes } = await paper(given.questions, {
          title: given.title,
          variants: 2,
          isShuffled,
          part,
        });
        for (const [path, unpack] of readArchive(bytes).files) {
          if (/\.(xml|rels)$/.test(path)) readXml(unpack());
        }
        const { messages } = await extractRawText({ buffer: Buffer.from(bytes) });
        // This reader does not support formulas.
        expect(messages.filter(({ message }) => !message.includes('oMath'))).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

test('a transcript is printed where students may read it, once for a shared text', async () => {
  const passage = (transcriptShown: boolean) => ({
    passageId: id(9),
    text: 'Послушайте диалог',
    transcript: 'Слова диктора',
    transcriptShown,
  });
  const hidden = { transcript: 'Тайные слова', transcriptShown: false };
  for (const isShown of [true, false]) {
    const { bytes } = await paper([
      { ...essay, passage: passage(isShown), ...hidden },
      { ...upload, passage: passage(isShown), transcript: 'Свои слова', transcriptShown: isShown },
    ]);
    const { value } = await extractRawText({ buffer: Buffer.from(bytes) });
    expect(value).not.toContain('Тайные слова');
    expect(value.split('Слова диктора')).toHaveLength(isShown ? 2 : 1);
    expect(value.split('Свои слова')).toHaveLength(isShown ? 2 : 1);
    expect(value.split('Текст записи')).toHaveLength(isShown ? 3 : 1);
  }
});

/** The languages of the runs of a document: undefined for the document's own. */
async function languagesOf(bytes: Uint8Array): Promise<ReadonlyMap<string, string | undefined>> {
  const file = readArchive(bytes).files.get('word/document.xml');
  const { root } = readXml(file?.() ?? new Uint8Array());
  return new Map(
    [...everyElement(root)]
      .filter(({ name }) => name === 'r')
      .map((run) => {
        const parts = [...everyElement(run)];
        const text = parts
          .filter(({ name }) => name === 't')
          .flatMap(({ children }) => children.filter((child) => typeof child === 'string'));
        const { attributes } = parts.find(({ name }) => name === 'lang') ?? {};
        return [text.join(''), attributes?.get('w:val') ?? attributes?.get('w:eastAsia')];
      }),
  );
}

test.each([
  ['en', 'en-GB'],
  ['de', 'de-DE'],
  ['tt', 'tt-RU'],
  ['zh', 'zh-CN'],
  ['ru', undefined],
  [undefined, undefined],
])('texts of a test in %s are marked as %s; instructions are Russian', async (language, mark) => {
  const questions: Question[] = [
    {
      ...choice(1, '**Choose** one', ['first option', 'second']),
      passage: { passageId: id(9), text: 'Passage' },
    },
    {
      ...base(6, 'Fill [[1]]'),
      kind: 'gaps',
      gaps: [
        {
          gapId: '1',
          weight: 1,
          input: 'choice',
          options: ['left', 'right'].map((text) => ({
            optionId: text,
            text,
            isRight: text === 'left',
          })),
        },
      ],
    },
    { ...number, accepted: [{ text: 'nine', share: 1 }] },
  ];
  const more = language === undefined ? {} : { language };
  const marked = await languagesOf((await paper(questions, more)).bytes);
  for (const text of ['Passage', 'Choose', ' one', 'first option'])
    expect([text, marked.get(text)]).toEqual([text, mark]);
  expect([...marked].find(([text]) => text.includes('left'))?.[1]).toBe(mark);
  for (const [text, own] of marked)
    if (/^(?:Обведите|Заполните|Запишите|Фамилия)/.test(text)) expect(own).toBeUndefined();
  const key = await languagesOf((await paper(questions, { ...more, part: 'key' })).bytes);
  for (const quoted of ['nine', '1 — '])
    expect([...key].find(([text]) => text.startsWith(quoted))?.[1]).toBe(mark);
});
