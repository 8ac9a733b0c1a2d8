import fc from 'fast-check';
import type { Gap, Question } from '#contract/questions.ts';
import { withoutInvisible } from '#domain/format-typed.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import type { ExportedTest } from '#interchange/model.ts';

/** The smallest PNG that claims to be 1,000 pixels wide and 800 high. */
const POINT = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (character) => character.charCodeAt(0),
);

const PICTURE_KEYS = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
] as const;

POINT.set([0, 0, 3, 232, 0, 0, 3, 32], 16);

const RECORDING_KEY = '55555555-5555-4555-8555-555555555555';
const SILENCE = new TextEncoder().encode('RIFF\0\0\0\0WAVEfmt ');

/** Pictures and a recording that the questions name. */
export const PICTURES: ExportedTest['pictures'] = new Map([
  ...PICTURE_KEYS.map((key) => [key, { mimeType: 'image/png', bytes: POINT }] as const),
  [RECORDING_KEY, { mimeType: 'audio/wav', bytes: SILENCE }],
]);

/** The key of the first of them. */
export const PICTURE_KEY = [...PICTURES.keys()][0] ?? '';

const FORMULAS = [
  '$x^2$',
  '$\\frac{a_1}{b_{12}} \\cdot \\{c\\}$',
  '$a * b * c < d$',
  '$$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$',
  '$\\text{м/с}^2$',
];
const MARKUP = [
  '**важно**',
  '*курсив*',
  '`x := {1; 2}`',
  '`<b>код</b>`',
  '[ссылка](https://example.org/?a=1&b=2#c)',
  '\n\nвторой абзац',
  '\n- раз\n- два',
  '\n1. раз\n2. два',
  '\n| a | b |\n|---|---|\n| 1 | 2 |',
];
const SIGNS = [
  '=', '~', '#', '{', '}', ':', '::', '->', '%50%', '####', '//', '$CATEGORY', '[html]', '\\', '\\n',
  '\\{', '"', "'", '«»', ';', ',', '\t', '&', '&amp;', '&lt;', '<', '>', '<b>', '</p>', '<br>',
  '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', ']]>', '<![CDATA[', '-->', '5 $', '@',
  '+7', '-', '*', '_', '__', '`', '|', '!', '🙂', '👩‍🏫', 'e\u0301', '\u00a0', '…', '№', '°', '[id:7]',
  'ANSWER: A', 'A. ', 'б) ', '1. ', '=1+1', '@SUM(A1)', 'http://a.ru/?x=1',
]; // prettier-ignore
const WORDS = ['Москва', 'ещё', 'скорость', 'Чему равно', 'the', 'x', '12', '−3,5', '0.5', 'не'];

const picture = fc
  .tuple(fc.constantFrom('схема', '', 'график a_1'), fc.constantFrom(...PICTURE_KEYS))
  .map(([alt, key]) => `![${alt}](file:${key})`);

const recording = fc
  .constantFrom('Диалог в кафе', '', 'запись 1')
  .map((description) => `![${description}](audio-file:${RECORDING_KEY})`);

/** Texts are normalized: no outer spaces, none at the ends of lines, no more than one empty line. */
export const tidy = (text: string): string =>
  text
    .replaceAll(/[ \t\u00a0]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

const joined = (part: fc.Arbitrary<string>, most: number) =>
  fc
    .tuple(
      fc.constantFrom(...WORDS),
      fc.array(fc.tuple(fc.constantFrom('', ' ', ' ', '\n', '  '), part), { maxLength: most }),
    )
    .map(([first, rest]) => tidy([first, ...rest.flat()].join('')));

const plainPart = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }).map(printable) },
);

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\ufeff]/gu, '');
}

/** Markdown with everything that formats may mishandle; never empty. */
export const richText: fc.Arbitrary<string> = joined(
  fc.oneof(
    { weight: 6, arbitrary: plainPart },
    { weight: 2, arbitrary: fc.constantFrom(...FORMULAS) },
    { weight: 2, arbitrary: fc.constantFrom(...MARKUP) },
    { weight: 1, arbitrary: fc.oneof(picture, picture, recording) },
  ),
  8,
);

const oneLine = (most: number) =>
  joined(plainPart, 4).map((text) =>
    text
      .replaceAll(/\s+/g, ' ')
      .slice(0, most)
      .replace(/[\ud800-\udbff]$/, '')
      .trim(),
  );

/** Texts that differ from each other even if a format changes their punctuation. */
const distinct = (part: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc
    .array(part, { minLength, maxLength })
    .map((texts) => texts.map((text, index) => `${index + 1}-й ${text}`));

const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const base = fc.record({
  questionId: fc.uuid(),
  text: richText,
  points: fc.oneof(
    fc.constant(1),
    fc.integer({ min: 1, max: 5000 }).map((cents) => cents / 100),
  ),
});
/** Few different ones, so that neighbours share them. */
const passage = fc
  .constantFrom('33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444')
  .map((passageId) => ({
    passageId,
    text: `Прочитайте **отрывок** ${passageId.slice(0, 2)}`,
    ...(passageId.startsWith('4') ? { transcript: 'Слова *диктора*', transcriptShown: true } : {}),
  }));
const authored = fc.record({
  passage: rarely(passage),
  explanation: rarely(richText),
  transcript: rarely(richText),
  transcriptShown: rarely(fc.constant(true)),
  title: rarely(oneLine(200)),
  topic: rarely(oneLine(200)),
  difficulty: rarely(fc.constantFrom('easy' as const, 'medium' as const, 'hard' as const)),
  tags: rarely(fc.uniqueArray(oneLine(50), { minLength: 1, maxLength: 3 })),
});

type OfKind<K extends Question['kind']> = Extract<Question, { kind: K }>;
type Authored = Pick<
  Question,
  | 'explanation'
  | 'transcript'
  | 'transcriptShown'
  | 'title'
  | 'topic'
  | 'difficulty'
  | 'tags'
  | 'passage'
>;

/** Without keys that have no value: a schema distinguishes absent from undefined. */
function solid<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

const whole = <Q extends Question>(
  own: fc.Arbitrary<
    Omit<Q, keyof Authored | 'questionId' | 'text' | 'points' | 'origin' | 'variantOf' | 'maxFiles'>
  >,
): fc.Arbitrary<Question> =>
  fc.tuple(base, authored, own).map(([shared, { transcriptShown, ...extra }, rest]) => {
    // Without a transcript the rule about showing it is not preserved.
    const rule = extra.transcript === undefined ? {} : { transcriptShown };
    return solid({ ...shared, ...extra, ...rule, ...rest }) as unknown as Question;
  });

const numberText = fc
  .tuple(fc.integer({ min: -10_000, max: 10_000 }), fc.constantFrom(1, 10, 100))
  .map(([value, by]) => String(value / by).replace('.', ','));
const share = fc.constantFrom(1, 1, 0.5, 0.25, 0.33, 0.9);
const tolerance = fc.constantFrom(0, 0.1, 0.005, 2);

const accepted = (text: fc.Arbitrary<string>, own: fc.Arbitrary<number | undefined>) =>
  fc
    .array(
      fc
        .record({
          // An import leaves out invisible characters.
          text: text.map((written) => withoutInvisible(written).trim() || '0'),
          share,
          tolerance: own,
          feedback: rarely(richText),
        })
        .map((answer) => solid(answer) as OfKind<'open'>['accepted'][number]),
      { minLength: 1, maxLength: 3 },
    )
    .map((answers) => [
      { ...answers[0], text: answers[0]?.text ?? '', share: 1 },
      ...answers
        .slice(1)
        .filter(
          (answer, index) => !answers.slice(0, index + 1).some(({ text }) => text === answer.text),
        ),
    ]);

const open = fc.oneof(
  whole<OfKind<'open'>>(
    fc.record({
      kind: fc.constant('open' as const),
      input: fc.constantFrom('line' as const, 'number' as const),
      accepted: accepted(numberText, rarely(tolerance)),
      tolerance,
    }),
  ),
  whole<OfKind<'open'>>(
    fc.record({
      kind: fc.constant('open' as const),
      input: fc.constantFrom('line' as const, 'text' as const),
      accepted: accepted(oneLine(100), fc.constant(undefined)),
      tolerance: fc.constant(0),
    }),
  ),
  whole<OfKind<'open'>>(
    fc.record({
      kind: fc.constant('open' as const),
      input: fc.constantFrom('line' as const, 'text' as const, 'number' as const),
      accepted: fc.constant([]),
      tolerance: fc.constant(0),
    }),
  ),
);

const variant = whole<OfKind<'variant'>>(
  fc
    .record({
      multiple: fc.boolean(),
      shuffle: fc.boolean(),
      scoring: fc.constantFrom('partial' as const, 'allOrNothing' as const),
      texts: fc.oneof<fc.WeightedArbitrary<string[]>[]>(
        { weight: 5, arbitrary: distinct(richText, 2, 5) },
        { weight: 1, arbitrary: fc.constant(['Верно', 'Неверно']) },
      ),
      right: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      one: fc.nat({ max: 4 }),
      feedback: fc.array(rarely(richText), { minLength: 5, maxLength: 5 }),
      ids: fc.uniqueArray(fc.uuid(), { minLength: 5, maxLength: 5 }),
    })
    .map(({ multiple, shuffle, scoring, texts, right, one, feedback, ids }) => ({
      kind: 'variant' as const,
      multiple,
      shuffle,
      scoring: multiple ? scoring : ('partial' as const),
      options: texts.map((text, index) =>
        solid({
          optionId: ids[index] ?? '',
          text,
          isRight: index === one % texts.length || (multiple && right[index] === true),
          feedback: feedback[index],
        }),
      ) as OfKind<'variant'>['options'],
    })),
);

/** A share that is whole pixels of the pictures, halved too. */
const twentieths = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((count) => count / 20);

/** A choice on the picture of its text, sometimes with a text after it or options only in the list. */
const onPicture = fc
  .tuple(
    variant,
    picture,
    fc.array(
      fc.record({
        shape: fc.constantFrom('rectangle' as const, 'ellipse' as const),
        left: twentieths(0, 10),
        top: twentieths(0, 10),
        width: twentieths(1, 10),
        height: twentieths(1, 10),
      }),
      { minLength: 5, maxLength: 5 },
    ),
    fc.constantFrom('', '', 'Ещё слова'),
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([question, shown, areas, after, bare]): Question => {
    if (question.kind !== 'variant') return question;
    const options = question.options.map((option, index) => {
      const area = areas[index];
      return area && index !== bare ? { ...option, text: `${'АБВГД'[index]}`, area } : option;
    });
    return { ...question, text: tidy(`Покажите\n\n${shown}\n\n${after}`), options };
  });

const compliance = whole<OfKind<'compliance'>>(
  fc
    .record({
      shuffle: fc.boolean(),
      repeats: fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 }),
      reuse: fc.constantFrom('no', 'no', 'allowed', 'needed'),
      left: distinct(richText, 2, 4),
      right: distinct(richText, 4, 6),
      extra: fc.nat({ max: 2 }),
      leftIds: fc.uniqueArray(fc.uuid(), { minLength: 4, maxLength: 4 }),
      rightIds: fc.uniqueArray(fc.uuid(), { minLength: 6, maxLength: 6 }),
      order: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
    })
    .map(({ shuffle, repeats, reuse, left, right, extra, leftIds, rightIds, order }) => {
      const used = right.slice(0, left.length + Math.min(extra, right.length - left.length));
      const shown = used
        .map((text, index) => ({ rightId: rightIds[index] ?? '', text, at: order[index] ?? 0 }))
        .sort((a, b) => a.at - b.at);
      return {
        kind: 'compliance' as const,
        shuffle,
        left: left.map((text, index) => ({ leftId: leftIds[index] ?? '', text })),
        right: shown.map(({ rightId, text }) => ({ rightId, text })),
        ...(reuse === 'no' ? {} : { reuse: true }),
        pairs: left.map((_, index) => ({
          leftId: leftIds[index] ?? '',
          rightId: rightIds[reuse === 'needed' ? (repeats[index] ?? 0) % used.length : index] ?? '',
        })),
      };
    }),
);

const ordering = whole<OfKind<'ordering'>>(
  fc
    .record({
      texts: distinct(richText, 2, 5),
      ids: fc.uniqueArray(fc.uuid(), { minLength: 5, maxLength: 5 }),
    })
    .map(({ texts, ids }) => ({
      kind: 'ordering' as const,
      items: texts.map((text, index) => ({ itemId: ids[index] ?? '', text })),
    })),
);

/** The text of a gap is plain. */
const gap = (gapId: string): fc.Arbitrary<Gap> =>
  fc.oneof(
    fc
      .record({
        weight: fc.constantFrom(1, 1, 1, 2, 3),
        texts: distinct(oneLine(60), 2, 4),
        right: fc.nat({ max: 1 }),
        feedback: rarely(richText),
      })
      .map(({ weight, texts, right, feedback }) => ({
        gapId,
        weight,
        input: 'choice' as const,
        options: texts.map((text, index) => ({
          optionId: `${gapId}-${index}`,
          text: text.trim(),
          isRight: index === right,
          ...(index === 0 && feedback !== undefined ? { feedback } : {}),
        })),
      })),
    fc
      .record({
        weight: fc.constantFrom(1, 1, 1, 2, 3),
        texts: distinct(oneLine(60), 1, 3),
        shares: fc.array(fc.constantFrom(1, 0.5, 0), { minLength: 3, maxLength: 3 }),
      })
      .map(({ weight, texts, shares }) => ({
        gapId,
        weight,
        input: 'line' as const,
        accepted: texts.map((text, index) => ({
          text: text.trim(),
          share: index === 0 ? 1 : (shares[index] ?? 1),
        })),
        tolerance: 0,
      })),
    fc
      .record({
        value: fc.integer({ min: -500, max: 500 }),
        tolerance: fc.constantFrom(0, 0.5, 2),
      })
      .map(({ value, tolerance }) => ({
        gapId,
        weight: 1,
        input: 'number' as const,
        accepted: [{ text: String(value / 10), share: 1 }],
        tolerance,
      })),
  );

const gaps = whole<OfKind<'gaps'>>(
  fc
    .tuple(fc.array(richText, { minLength: 1, maxLength: 3 }), gap('1'), gap('2'), gap('3'))
    .map(([texts, ...all]) => ({
      kind: 'gaps' as const,
      text: texts.map((text, index) => `${text}\n\nслова [[${index + 1}]], и ещё`).join('\n\n'),
      gaps: all.slice(0, texts.length),
    })),
);

const file = whole<OfKind<'file'>>(
  fc.record({
    kind: fc.constant('file' as const),
    maxBytes: fc.constantFrom(10 * 1024 * 1024, 1024 * 1024, 5000),
    accept: fc.constantFrom([], ['image/*'], ['.pdf', '.docx']),
    maxFiles: rarely(fc.constantFrom(2, 3, 10)),
  }),
);

/** Any question that could be published: the kinds that formats preserve, texts that they may mishandle. */
export const publishable: fc.Arbitrary<Question> = fc.oneof(
  { weight: 3, arbitrary: open },
  { weight: 4, arbitrary: variant },
  { weight: 1, arbitrary: onPicture },
  { weight: 3, arbitrary: compliance },
  { weight: 2, arbitrary: ordering },
  { weight: 3, arbitrary: gaps },
  { weight: 1, arbitrary: file },
);

/** Questions of a kind with missing or empty parts; others are unchanged. */
const UNFINISHED: KindTable<fc.Arbitrary<Question>, [text: string]> = {
  variant: (shared) =>
    fc
      .record({ keep: fc.nat({ max: 3 }), multiple: fc.boolean(), empty: fc.boolean() })
      .map(({ keep, multiple, empty }) => ({
        ...shared,
        multiple,
        scoring: 'partial' as const,
        options: shared.options
          .slice(0, keep)
          .map((option) => ({ ...option, isRight: false, text: empty ? '' : option.text })),
      })),
  compliance: (shared) =>
    fc.nat({ max: 2 }).map((keep) => ({ ...shared, pairs: shared.pairs.slice(0, keep) })),
  open: (shared) =>
    fc.constant({
      ...shared,
      accepted: shared.accepted.map((answer) => ({ ...answer, text: '' })),
    }),
  ordering: (shared) =>
    fc.nat({ max: 1 }).map((keep) => ({ ...shared, items: shared.items.slice(0, keep) })),
  // Without its text a gap has no position.
  gaps: (shared, text) => fc.constant({ ...shared, text, gaps: shared.gaps.slice(0, 1) }),
};

/** Unfinished questions of an editor: empty texts, no right answers, sides without pairs. */
export const unfinished: fc.Arbitrary<Question> = publishable.chain((question) =>
  fc
    .record({ text: fc.constantFrom('', question.text), points: fc.constantFrom(0, 1, 2.5) })
    .chain(({ text, points }): fc.Arbitrary<Question> => {
      const shared = { ...question, text, points };
      return entryOf(UNFINISHED, shared)?.(shared, question.text) ?? fc.constant(shared);
    }),
);

/** A test of such questions with their pictures. */
export const exportedTest = (question: fc.Arbitrary<Question>): fc.Arbitrary<ExportedTest> =>
  fc
    .array(question, { minLength: 1, maxLength: 4 })
    .map((questions) => ({ title: 'Проверка', questions, pictures: PICTURES }));
