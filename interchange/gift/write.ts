import type { Question } from '#contract/questions.ts';
import { gapIdsIn, withGapPlaces } from '#domain/format-gaps.ts';
import { sharesRight } from '#domain/shared-right.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import {
  fileNameOf,
  unillustrated,
  unknownKindLoss,
  withoutTranscripts,
} from '#interchange/exported.ts';
import { writtenPassage } from '#interchange/items/passages.ts';
import { alternativesLoss } from '#interchange/items/writing.ts';
import type { Writer } from '#interchange/model.ts';
import { toMoodleMarkdown } from '#interchange/moodle-markdown.ts';
import { escaped } from './escapes.ts';
import { writeMarks, type MarkName } from './marks.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** An answer between braces, its marks, and the losses. */
interface Written {
  readonly answer: string;
  readonly marks: Partial<Record<MarkName, string>>;
  readonly losses: readonly string[];
}

/** Escapes a text that begins like a format or a weight. */
const rich = (text: string) =>
  `${/^\s*[[%]/.test(text) ? '[markdown]' : ''}${escaped(toMoodleMarkdown(text.trim()))}`;
const plain = (text: string) => escaped(text.trim());
const withFeedback = (feedback: string | undefined) =>
  feedback === undefined || feedback.trim() === '' ? '' : `#${rich(feedback)}`;
/** An arrow would turn the text around it into pairs, so it becomes an entity, which every parser decodes. */
const withoutArrow = (written: string) => written.replaceAll('->', '-&gt;');
const ARROW_LOSS = 'стрелка «->» внутри кода, формулы или ответа изменится';
const isArrowLost = (text: string | undefined) => /[`$]/.test(text ?? '') && /->/.test(text ?? '');
const percent = (share: number) => `%${Number((share * 100).toFixed(6))}%`;
const yesNo = (value: boolean) => (value ? 'yes' : 'no');

const isTrueFalse = ({ options, multiple }: Of<'variant'>) =>
  !multiple &&
  options.length === 2 &&
  options[0]?.text === 'Верно' &&
  options[1]?.text === 'Неверно' &&
  options[0].isRight !== options[1].isRight;

function trueFalse({ options, shuffle }: Of<'variant'>): Written {
  const right = options.find(({ isRight }) => isRight);
  const wrong = options.find(({ isRight }) => !isRight);
  const last = withFeedback(right?.feedback);
  const first = withFeedback(wrong?.feedback);
  return {
    answer: `${options[0]?.isRight === true ? 'TRUE' : 'FALSE'}${last !== '' && first === '' ? '#' : first}${last}`,
    marks: shuffle ? { shuffle: 'yes' } : {},
    losses: [],
  };
}

function variant(question: Of<'variant'>): Written {
  if (isTrueFalse(question)) return trueFalse(question);
  const { options, multiple, shuffle, scoring } = question;
  const right = options.filter(({ isRight }) => isRight).length;
  const isSingle = !multiple && right === 1;
  const each = 100 / Math.max(1, right);
  const weight = (isRight: boolean) => {
    if (isSingle) return isRight ? '=' : '~';
    // Without a right option there are no weights.
    return right === 0 ? '~' : `~%${Number((isRight ? each : -each).toFixed(5))}%`;
  };
  const lines = options.map(
    ({ isRight, text, feedback }) =>
      `\n\t${weight(isRight)}${rich(text) || ' '}${withFeedback(feedback)}`,
  );
  const losses = [
    ...(scoring === 'allOrNothing'
      ? ['оценка «всё или ничего» вернётся сюда, но другие системы дадут часть баллов']
      : []),
    ...(options.length < 2
      ? ['вариантов меньше двух: вопрос не перенесётся обратно как он есть']
      : []),
  ];
  return {
    answer: `${lines.join('')}\n`,
    marks: {
      ...(multiple === !isSingle ? {} : { multiple: yesNo(multiple) }),
      ...(shuffle ? { shuffle: 'yes' } : {}),
      ...(scoring === 'partial' ? {} : { scoring }),
      ...(options.length === 0 ? { kind: 'variant' } : {}),
    },
    losses,
  };
}

function compliance(question: Of<'compliance'>): Written {
  const { left, right, pairs, shuffle, reuse } = question;
  const textOf = new Map(right.map(({ rightId, text }) => [rightId, text]));
  const rightOf = new Map(pairs.map(({ leftId, rightId }) => [leftId, rightId]));
  const paired = left.flatMap(({ leftId }) => rightOf.get(leftId) ?? []);
  const extra = right.filter(({ rightId }) => !paired.includes(rightId));
  const inFile = [...new Set(paired), ...extra.map(({ rightId }) => rightId)];
  const order = right.map(({ rightId }) => inFile.indexOf(rightId) + 1);
  const losses: string[] = [];
  if (left.some(({ text }) => isArrowLost(text))) losses.push(ARROW_LOSS);
  if (paired.length < left.length) losses.push('у части левых элементов нет пары');
  const lines = [
    ...left.map(({ leftId, text }) => {
      const answer = textOf.get(rightOf.get(leftId) ?? '') ?? '';
      return `\n\t=${withoutArrow(rich(text))} -> ${rich(answer)}`;
    }),
    ...extra.map(({ text }) => `\n\t= -> ${rich(text)}`),
  ];
  return {
    answer: `${lines.join('')}\n`,
    marks: {
      ...(shuffle ? {} : { shuffle: 'no' }),
      ...(order.every((place, index) => place === index + 1) ? {} : { right: order.join(',') }),
      ...(reuse && !sharesRight(question) ? { reuse: 'yes' } : {}),
      ...(left.length + right.length === 0 ? { kind: 'compliance' } : {}),
    },
    losses,
  };
}

const isNumber = (text: string) => /^[−-]?\d{1,15}(?:[.,]\d{1,15})?$/.test(text.trim());

function open(question: Of<'open'>): Written {
  const { accepted, input, tolerance } = question;
  if (accepted.length === 0) {
    return { answer: '', marks: input === 'text' ? {} : { input }, losses: [] };
  }
  const isNumerical =
    input !== 'text' &&
    accepted.every(({ text }) => isNumber(text)) &&
    (input === 'number' || tolerance > 0 || accepted.some((answer) => answer.tolerance));
  const lines = accepted.map(({ text, share, tolerance: own, feedback }) => {
    const sign = share === 1 ? '=' : `=${percent(share)}`;
    const allowed = own ?? tolerance;
    if (isNumerical) {
      const value = text.trim().replace('−', '-').replace(',', '.');
      return `\n\t${sign}${value}${allowed > 0 ? `:${allowed}` : ''}${withFeedback(feedback)}`;
    }
    const value = plain(text.replaceAll('->', '→'));
    const format = value.startsWith('[') ? '[plain]' : '';
    const weight = value.startsWith('%') ? `=${percent(share)}` : sign;
    return `\n\t${weight}${format}${value || ' '}${withoutArrow(withFeedback(feedback))}`;
  });
  const own = accepted.some((answer) => answer.tolerance !== undefined);
  return {
    answer: `${isNumerical ? '#' : ''}${lines.join('')}\n`,
    marks: {
      ...(isNumerical
        ? input === 'number'
          ? {}
          : { input }
        : input === 'line' && !accepted.some(({ text }) => text.includes('*'))
          ? {}
          : { input }),
      ...(own || (!isNumerical && tolerance > 0) ? { tolerance: String(tolerance) } : {}),
    },
    losses: [
      ...(!isNumerical && (tolerance > 0 || own) ? ['допуск другим системам не передать'] : []),
      ...(!isNumerical &&
      accepted.some(({ text, feedback }) => text.includes('->') || isArrowLost(feedback))
        ? [ARROW_LOSS]
        : []),
      ...(accepted.some(({ text }) => text.trim() === '')
        ? ['пустой верный ответ не перенесётся']
        : []),
    ],
  };
}

interface Adapted {
  readonly question: Question;
  /** The text after the answer; absent: the answer follows the text. */
  readonly behind?: string;
  readonly losses: readonly string[];
}

/** Moodle reads one answer in a text. It would show the key of a second one. */
function asMissingWord(question: Of<'gaps'>): Adapted | string {
  const [gap] = question.gaps;
  if (!gap || question.gaps.length > 1 || gapIdsIn(question.text).length !== 1)
    return 'не перенесён: нескольких пропусков в тексте в GIFT нет. Их переносят Moodle XML и QTI';
  const [text = '', behind = ''] = withGapPlaces(question.text, () => '\ue100').split('\ue100');
  const { gaps: _, ...base } = { ...question, text };
  const typed: Question =
    gap.input === 'choice'
      ? {
          ...base,
          kind: 'variant',
          options: [...gap.options],
          multiple: false,
          shuffle: false,
          scoring: 'partial',
        }
      : {
          ...base,
          kind: 'open',
          input: gap.input,
          accepted: gap.accepted,
          tolerance: gap.tolerance,
        };
  const losses = ['пропуск станет обычным вопросом с полем посреди текста'];
  return { question: typed, ...(behind.trim() === '' ? {} : { behind }), losses };
}

/** An order as matching of positions and items. */
function asMatching({ items, ...base }: Of<'ordering'>): Adapted {
  const places = items.map((_, index) => String(index + 1));
  return {
    question: {
      ...base,
      kind: 'compliance',
      shuffle: true,
      left: places.map((place) => ({ leftId: place, text: place })),
      right: items.map(({ itemId, text }) => ({ rightId: itemId, text })),
      pairs: items.map(({ itemId }, index) => ({ leftId: places[index] ?? '', rightId: itemId })),
    },
    losses: ['порядок станет соответствием мест и пунктов'],
  };
}

const file = ({ maxBytes, accept, maxFiles }: Of<'file'>): Written => ({
  answer: '',
  marks: {
    kind: 'file',
    bytes: String(maxBytes),
    accept: accept.join(' '),
    ...(maxFiles === undefined ? {} : { files: String(maxFiles) }),
  },
  losses: ['в других системах ответ файлом станет развёрнутым ответом; сюда он вернётся файлом'],
});

/** Kinds that GIFT stores as another kind, or why it cannot store the question. */
const ADAPTERS: KindTable<Adapted | string> = { ordering: asMatching, gaps: asMissingWord };
const WRITERS: KindTable<Written> = { variant, compliance, open, file };

/** The question in GIFT's form, with its answer, or why there is none. */
function written(given: Question): (Adapted & Written) | string {
  const adapted = entryOf(ADAPTERS, given)?.(given) ?? { question: given, losses: [] };
  if (typeof adapted === 'string') return adapted;
  const { question } = adapted;
  const own = entryOf(WRITERS, question)?.(question);
  if (!own) return unknownKindLoss(given);
  return { ...adapted, ...own, losses: [...adapted.losses, ...own.losses] };
}

const ROOT = '$course$/top';
const categoryOf = (topic: string | undefined) =>
  topic === undefined || topic.trim() === ''
    ? ROOT
    : `${ROOT}/${topic.trim().replaceAll('/', '//')}`;

/** Writes GIFT for Moodle; what it cannot express is in comments that our reader understands. */
export const writeGift: Writer = async ({ title, questions, language = 'ru' }) => {
  const losses: string[] = [...alternativesLoss(questions)];
  const parts: string[] = [];
  let category = ROOT;
  let last: Question | undefined;
  for (const [index, given] of questions.entries()) {
    const silent = withoutTranscripts(given, index + 1);
    const { question: bare, losses: lost } = unillustrated(silent.question, index + 1);
    const form = written(bare);
    if (typeof form === 'string') {
      losses.push(`Вопрос ${index + 1}: ${form}`);
      continue;
    }
    const { question, behind, answer, marks } = form;
    losses.push(
      ...silent.losses,
      ...lost,
      ...form.losses.map((loss) => `Вопрос ${index + 1}: ${loss}`),
    );
    if (question.text.trim() === '') losses.push(`Вопрос ${index + 1}: нет текста`);
    const own = categoryOf(question.topic);
    const { before, endsFormer } = writtenPassage(last, question, own !== category);
    if (own !== category || endsFormer) parts.push(`$CATEGORY: ${own}\n`);
    if (before !== null) parts.push(`[markdown]${rich(before)}\n`);
    category = own;
    const comment = writeMarks(
      {
        ...(question.points === 1 ? {} : { points: String(question.points) }),
        ...(question.difficulty === undefined ? {} : { difficulty: question.difficulty }),
        ...marks,
        // Applies to the whole file, at its first question.
        ...(last !== undefined || language === 'ru' ? {} : { language }),
      },
      question.tags,
    );
    last = question;
    const name = question.title === undefined ? '' : `::${plain(question.title)}::`;
    const explanation =
      question.explanation === undefined ? '' : `####${rich(question.explanation)}`;
    const tail =
      behind === undefined ? '' : `${/^[.,;:!?)»]/.test(behind) ? '' : ' '}${rich(behind)}`;
    const gap = behind === undefined ? '' : ' ';
    parts.push(
      `${comment}${name}[markdown]${rich(question.text)}${gap}{${answer}${explanation}}${tail}\n`,
    );
  }
  return {
    fileName: fileNameOf(title, 'txt'),
    mimeType: 'text/plain;charset=utf-8',
    bytes: new TextEncoder().encode(parts.join('\n')),
    losses,
  };
};
