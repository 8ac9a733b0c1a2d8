import type { Gap, Question } from '#contract/questions.ts';
import { withMarkedGaps } from '#interchange/items/gaps.ts';
import { maxFilesIn } from '#interchange/items/max-files.ts';
import type { Tools } from '#interchange/model.ts';
import type { Marks } from './marks.ts';
import {
  GiftProblem,
  type GiftAnswer,
  type GiftChoice,
  type GiftGaps,
  type GiftText,
} from './parse.ts';
import { markdownOf } from './text.ts';

type Base = Pick<Question, 'questionId' | 'text' | 'points'>;
type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

interface Context {
  readonly base: Base;
  readonly marks: Marks;
  readonly tools: Tools;
  readonly losses: string[];
}

const yes = (value: string | undefined, otherwise: boolean) =>
  value === undefined ? otherwise : value === 'yes';

function feedbackOf(text: GiftText | null, losses: string[]): { feedback?: string } {
  if (text === null) return {};
  const feedback = markdownOf(text, { inline: false }, losses);
  return feedback === '' ? {} : { feedback };
}

const shareOf = ({ weight, isRight }: GiftChoice): number => {
  if (weight === null) return isRight ? 1 : 0;
  return Math.round(Math.min(100, Math.max(0, weight)) * 1e6) / 1e8;
};

const REST_LOSS = 'Отзыв на все прочие ответы не перенесён';
const NEAR = 0.02;

/** Whether the weights equal those of our partial scoring. */
function areUsual(options: readonly GiftChoice[]): boolean {
  const right = options.filter(({ weight }) => (weight ?? 0) > 0).length;
  return options.every(({ weight }) => Math.abs(Math.abs(weight ?? 0) - 100 / right) < NEAR);
}

function choice(
  options: readonly GiftChoice[],
  { base, marks, tools, losses }: Context,
): Of<'variant'> {
  const certain = options.filter(({ isRight }) => isRight).length;
  const multiple = yes(marks.values.get('multiple'), certain !== 1);
  const isRight = ({ isRight, weight }: GiftChoice) =>
    isRight ? (weight ?? 100) > 0 : certain === 0 && (weight ?? 0) > 0;
  const anyRight = options.some(isRight);
  if (options.some(({ text }) => text.text.trim() === ''))
    losses.push('Есть вариант без текста: впишите его');
  if (!anyRight) losses.push('Верный вариант не отмечен: отметьте его в редакторе');
  else if (
    certain === 1 &&
    options.some((option) => !option.isRight && (option.weight ?? 0) !== 0)
  ) {
    losses.push('Доли баллов за другие варианты не перенесены: баллы даёт только верный');
  } else if (certain > 1 && multiple) {
    losses.push('В файле достаточно одного из верных вариантов, здесь отмечают все верные');
  } else if (certain === 0 && multiple && !areUsual(options)) {
    losses.push(
      'Доли баллов за варианты заменены равными: неверный отнимает столько, сколько даёт верный',
    );
  }
  return {
    ...base,
    kind: 'variant',
    multiple,
    shuffle: yes(marks.values.get('shuffle'), false),
    scoring: marks.values.get('scoring') === 'allOrNothing' ? 'allOrNothing' : 'partial',
    options: options.map((option) => ({
      optionId: tools.newId(),
      text: markdownOf(option.text, { inline: true }, losses),
      isRight: isRight(option),
      ...feedbackOf(option.feedback, losses),
    })),
  };
}

function trueFalse(
  answer: Extract<GiftAnswer, { kind: 'trueFalse' }>,
  { base, marks, tools, losses }: Context,
): Of<'variant'> {
  const { isTrue, feedback } = answer;
  return {
    ...base,
    kind: 'variant',
    multiple: false,
    shuffle: yes(marks.values.get('shuffle'), false),
    scoring: 'partial',
    options: [true, false].map((value) => ({
      optionId: tools.newId(),
      text: value ? 'Верно' : 'Неверно',
      isRight: value === isTrue,
      ...feedbackOf(value === isTrue ? feedback.right : feedback.wrong, losses),
    })),
  };
}

function inputOf(marks: Marks, otherwise: Of<'open'>['input']): Of<'open'>['input'] {
  const given = marks.values.get('input');
  return given === 'line' || given === 'number' || given === 'text' ? given : otherwise;
}

const toleranceMark = (marks: Marks): number | null => {
  const value = Number(marks.values.get('tolerance') ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
};

function short(answers: readonly GiftChoice[], { base, marks, losses }: Context): Of<'open'> {
  const isOurs = marks.values.has('input');
  const isRest = ({ text }: GiftChoice) => !isOurs && text.text === '*';
  const usable = answers.filter((answer) => !isRest(answer));
  if (answers.some((answer) => isRest(answer) && shareOf(answer) > 0))
    losses.push('Ответ «*» засчитывал любой ответ: здесь таких нет, впишите верные');
  else if (usable.length < answers.length) losses.push(REST_LOSS);
  if (!isOurs && usable.some(({ text }) => /(?<!\\)\*/.test(text.text))) {
    losses.push('Знак * в ответе значит «любые знаки», здесь он сравнивается как есть');
  }
  return {
    ...base,
    kind: 'open',
    input: inputOf(marks, 'line'),
    accepted: usable.map((answer) => ({
      // Moodle's own escape of a character that otherwise means «any characters».
      text: isOurs ? answer.text.text : answer.text.text.replaceAll(String.raw`\*`, '*'),
      share: shareOf(answer),
      ...feedbackOf(answer.feedback, losses),
    })),
    tolerance: toleranceMark(marks) ?? 0,
  };
}

function numerical(
  { answers, hasRest }: Extract<GiftAnswer, { kind: 'numerical' }>,
  { base, marks, losses }: Context,
): Of<'open'> {
  if (hasRest) losses.push(REST_LOSS);
  const all = answers.map(({ range }) => range.tolerance);
  const same = all.every((tolerance) => tolerance === all[0]) ? (all[0] ?? 0) : 0;
  const tolerance = toleranceMark(marks) ?? same;
  return {
    ...base,
    kind: 'open',
    input: inputOf(marks, 'number'),
    accepted: answers.map((answer) => ({
      text: answer.range.text,
      share: shareOf(answer),
      ...(answer.range.tolerance === tolerance ? {} : { tolerance: answer.range.tolerance }),
      ...feedbackOf(answer.feedback, losses),
    })),
    tolerance,
  };
}

/** Right sides in the order of a mark: positions from 1 among those of the file. */
function ordered<T>(right: readonly T[], mark: string | undefined): readonly T[] {
  const places = (mark ?? '').split(',').map((place) => Number(place) - 1);
  const picked = places.flatMap((place) => right[place] ?? []);
  return picked.length === right.length && new Set(places).size === right.length ? picked : right;
}

function matching(
  { pairs }: Extract<GiftAnswer, { kind: 'matching' }>,
  { base, marks, tools, losses }: Context,
): Of<'compliance'> {
  const read = pairs.map(({ left, right }) => ({
    left: markdownOf(left, { inline: true }, losses),
    right: markdownOf(right, { inline: true }, losses),
  }));
  if (pairs.some(({ hasSign }) => hasSign))
    losses.push('Текст после знака # в паре остался её частью: если это отзыв, уберите его');
  const rightIds = new Map<string, string>();
  for (const { right } of read) {
    if (right !== '' && !rightIds.has(right)) rightIds.set(right, tools.newId());
  }
  const left = read
    .filter(({ left }) => left !== '')
    .map((pair) => ({ ...pair, leftId: tools.newId() }));
  const paired = left.filter(({ right }) => right !== '');
  if (paired.length < left.length)
    losses.push('У левого элемента нет пары: подберите её в редакторе');
  const right = [...rightIds].map(([text, rightId]) => ({ rightId, text }));
  return {
    ...base,
    kind: 'compliance',
    shuffle: yes(marks.values.get('shuffle'), true),
    left: left.map(({ leftId, left }) => ({ leftId, text: left })),
    right: [...ordered(right, marks.values.get('right'))],
    ...(yes(marks.values.get('reuse'), false) ? { reuse: true } : {}),
    pairs: paired.map(({ leftId, right }) => ({ leftId, rightId: rightIds.get(right) ?? '' })),
  };
}

/** An essay, or the kind that a mark names. */
function unanswered({ base, marks, losses }: Context): Question {
  const kind = marks.values.get('kind');
  if (kind === 'variant' || kind === 'compliance') {
    throw new GiftProblem('В вопросе нет вариантов');
  }
  const bytes = Number(marks.values.get('bytes'));
  if (kind === 'file' && Number.isInteger(bytes)) {
    const accept = (marks.values.get('accept') ?? '').split(' ').filter((type) => type !== '');
    const files = maxFilesIn(marks.values.get('files'), losses);
    return { ...base, kind, maxBytes: bytes, accept, ...files };
  }
  return { ...base, kind: 'open', input: inputOf(marks, 'text'), accepted: [], tolerance: 0 };
}

const NO_MARKS: Marks = { values: new Map(), tags: [] };

function gapsOf({ gaps }: GiftGaps, context: Context): Of<'gaps'> {
  const { base, tools, losses } = context;
  losses.push(
    'Ответов в скобках несколько: это пропуски одного текста. Разные вопросы разделите пустой строкой',
  );
  const alone = { ...context, marks: NO_MARKS };
  return {
    ...base,
    text: withMarkedGaps(base.text),
    kind: 'gaps',
    gaps: gaps.map((answer, index): Gap => {
      const own = { gapId: String(index + 1), weight: 1 };
      if (answer.kind === 'choice') {
        const { options } = choice(answer.options, alone);
        return {
          ...own,
          input: 'choice',
          // A list shows plain text.
          options: options.map((option, at) => ({
            ...option,
            optionId: tools.newId(),
            text: answer.options[at]?.text.text ?? '',
          })),
        };
      }
      const { accepted, tolerance } =
        answer.kind === 'short' ? short(answer.answers, alone) : numerical(answer, alone);
      const input = answer.kind === 'short' ? 'line' : 'number';
      return { ...own, input, accepted, tolerance };
    }),
  };
}

/** The question of a GIFT answer. Parts that it cannot express are added to `losses`. */
export function questionOf(answer: GiftAnswer | GiftGaps, context: Context): Question {
  switch (answer.kind) {
    case 'gaps':
      return gapsOf(answer, context);
    case 'essay':
      return unanswered(context);
    case 'trueFalse':
      return trueFalse(answer, context);
    case 'choice':
      return choice(answer.options, context);
    case 'short':
      return short(answer.answers, context);
    case 'numerical':
      return numerical(answer, context);
    case 'matching':
      return matching(answer, context);
  }
}
