import type { Question } from '#contract/questions.ts';
import { maxFilesOf } from '#domain/answer-files.ts';
import { hasAreas } from '#domain/areas.ts';
import { gapIdsIn, gapMark, splitAtGapMarks, withGapPlaces } from '#domain/format-gaps.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { parseNumber } from '#domain/normalise.ts';
import { sharesRight } from '#domain/shared-right.ts';
import {
  AREAS_LOSS,
  fileNameOf,
  languageLoss,
  REUSE_LOSS,
  unknownKindLoss,
  withoutTranscripts,
} from '#interchange/exported.ts';
import { lookOf, plainXhtml, texInText } from '#interchange/html/to-xhtml.ts';
import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { namedPicture, toBase64 } from '#interchange/items/pictures.ts';
import { nameFor } from '#interchange/items/titles.ts';
import { writtenPassage } from '#interchange/items/passages.ts';
import { alternativesLoss, faithfulXhtml, losing } from '#interchange/items/writing.ts';
import type { ExportedTest, Writer } from '#interchange/model.ts';
import { fragmentText, tag, xmlBytes, type Written } from '#interchange/xml-writer.ts';
import { writtenGap } from './cloze.ts';
import { categoryOf, difficultyTag, fileTypesOf } from './messages.ts';

interface Writing {
  readonly pictures: ExportedTest['pictures'];
  readonly loss: (line: string) => void;
}

const text = (value: string) => tag('text', {}, value);
const own = (name: string, value: string | number | boolean) => tag(name, {}, String(value));

/** A field with its text in HTML and the pictures in it. */
function field(
  name: string,
  markdown: string,
  { pictures, loss }: Writing,
  inline = false,
  attributes: Record<string, string> = {},
  ...more: readonly Written[]
): Written {
  const files = new Map<string, Written>();
  const enclose = (key: string, missing: string): string | null => {
    const enclosed = namedPicture(key, missing, pictures, loss);
    if (!enclosed) return null;
    const { name: file, bytes } = enclosed;
    files.set(file, tag('file', { name: file, path: '/', encoding: 'base64' }, toBase64(bytes)));
    return `@@PLUGINFILE@@/${file}`;
  };
  const pieces = faithfulXhtml(
    markdown,
    {
      isQti: false,
      formula: texInText,
      picture: (address) => enclose(address, 'картинки'),
      recording: (address) => enclose(address, 'записи'),
    },
    { inline },
    loss,
  );
  return tag(
    name,
    { ...attributes, format: 'html' },
    text(fragmentText(pieces)),
    ...files.values(),
    ...more,
  );
}

/** Percent in Moodle's notation. */
const percent = (share: number) => String(Math.round(share * 1e7) / 1e5);

/** Moodle refuses other shares by default. */
const KNOWN = [100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571, 12.5, 11.11111, 10, 5, 0]; // prettier-ignore

function reportShares(shares: readonly number[], { loss }: Writing): void {
  if (
    !shares.every((share) => KNOWN.some((known) => Math.abs(known - Math.abs(share) * 100) < 0.001))
  )
    loss('таких долей балла Moodle не знает: при импорте выберите «Ближайшая оценка из списка»');
}

type Kind<K extends Question['kind']> = Extract<Question, { kind: K }>;

function choice(question: Kind<'variant'>, writing: Writing): Written[] {
  const { multiple, scoring, options } = question;
  const right = options.filter(({ isRight }) => isRight).length;
  const each = multiple && right > 0 ? 1 / right : 1;
  const whole = multiple && scoring === 'allOrNothing';
  if (whole)
    writing.loss('оценки «всё или ничего» в Moodle нет: неверный вариант там снимает весь балл');
  if (!multiple && right > 1) writing.loss('верным при одном выборе останется первый вариант');
  if (right === 0) writing.loss('верный вариант не отмечен');
  const shares = options.map(({ isRight }, index) => {
    const isFirst = options.findIndex((option) => option.isRight) === index;
    if (isRight) return multiple || isFirst ? each : 0;
    return multiple && right > 0 ? (whole ? -1 : -each) : 0;
  });
  reportShares(shares, writing);
  return [
    own('single', !multiple),
    own('shuffleanswers', question.shuffle),
    own('answernumbering', 'none'),
    ...options.map((option, index) =>
      field(
        'answer',
        option.text,
        writing,
        true,
        { fraction: percent(shares[index] ?? 0) },
        field('feedback', option.feedback ?? '', writing),
      ),
    ),
  ];
}

/** Whether Moodle compares the answers as numbers. */
function isNumerical({ accepted, input, tolerance }: Kind<'open'>): boolean {
  const tolerances = accepted.map((answer) => answer.tolerance ?? tolerance);
  return (
    accepted.length > 0 &&
    accepted.every((answer) => parseNumber(answer.text) !== null) &&
    (input === 'number' || tolerances.some((value) => value > 0))
  );
}

function openAnswers(question: Kind<'open'>, writing: Writing): Written[] {
  const { accepted, input, tolerance } = question;
  const numerical = isNumerical(question);
  if (input === 'text') writing.loss('поле ответа станет одной строкой');
  if (input === 'line' && numerical) writing.loss('поле ответа станет полем для числа');
  if (input === 'number' && !numerical) writing.loss('поле для числа станет обычной строкой');
  if (!numerical && accepted.some((answer) => (answer.tolerance ?? tolerance) > 0))
    writing.loss('допуск не переносится: ответы – не числа');
  reportShares(
    accepted.map(({ share }) => share),
    writing,
  );
  if (accepted.some(({ share }) => share === 0))
    writing.loss('ответы с нулевой долей не переносятся');
  const answers = accepted.map((answer) =>
    tag(
      'answer',
      { fraction: percent(answer.share), format: 'plain_text' },
      text(
        numerical
          ? String(parseNumber(answer.text) ?? answer.text)
          : answer.text.replaceAll('*', '\\*'),
      ),
      field('feedback', answer.feedback ?? '', writing),
      numerical ? own('tolerance', answer.tolerance ?? tolerance) : null,
    ),
  );
  return numerical ? answers : [own('usecase', 0), ...answers];
}

function pairsOf(question: Kind<'compliance'>, writing: Writing): Written[] {
  const rightText = new Map(
    question.right.map(({ rightId, text: markdown }) => {
      const plain = plainXhtml(markdown, texInText, { inline: true });
      if (
        lookOf(plainToMarkdown(plain, { inline: true }), { inline: true }) !==
        lookOf(markdown, { inline: true })
      )
        writing.loss(
          'в правом столбце Moodle показывает только слова: разметка и картинки не переносятся',
        );
      return [rightId, plain];
    }),
  );
  if (new Set(rightText.values()).size < rightText.size)
    writing.loss('одинаковые тексты правого столбца сольются');
  const rightOf = new Map(question.pairs.map(({ leftId, rightId }) => [leftId, rightId]));
  const used = new Set(rightOf.values());
  if (question.left.some(({ leftId }) => !rightOf.has(leftId)))
    writing.loss('строки без пары Moodle не примет');
  if (question.reuse && !sharesRight(question)) writing.loss(REUSE_LOSS);
  if (question.right.length < 3) writing.loss('Moodle принимает от трёх вариантов справа');
  const sub = (markdown: string, answer: string) =>
    field('subquestion', markdown, writing, true, {}, tag('answer', {}, text(answer)));
  return [
    own('shuffleanswers', question.shuffle),
    ...question.left.map(({ leftId, text: markdown }) =>
      sub(markdown, rightText.get(rightOf.get(leftId) ?? '') ?? ''),
    ),
    ...question.right
      .filter(({ rightId }) => !used.has(rightId))
      .map(({ rightId }) => sub('', rightText.get(rightId) ?? '')),
  ];
}

function essay(file: Kind<'file'> | null): Written[] {
  return [
    own('responseformat', file ? 'noinline' : 'plain'),
    own('responserequired', file ? 0 : 1),
    own('responsefieldlines', 10),
    own('attachments', file ? maxFilesOf(file) : 0),
    own('attachmentsrequired', file ? 1 : 0),
    ...(file
      ? [own('maxbytes', file.maxBytes), own('filetypeslist', fileTypesOf(file.accept))]
      : []),
    tag('graderinfo', { format: 'html' }, text('')),
    tag('responsetemplate', { format: 'html' }, text('')),
  ];
}

/** `qtype_ordering`, which grades as here with this setting. */
function ordering({ items }: Kind<'ordering'>, writing: Writing): Written[] {
  return [
    own('layouttype', 'VERTICAL'),
    own('selecttype', 'ALL'),
    own('selectcount', 0),
    own('gradingtype', 'RELATIVE_NEXT_EXCLUDE_LAST'),
    own('showgrading', 'SHOW'),
    own('numberingstyle', 'none'),
    ...items.map((item, index) =>
      field('answer', item.text, writing, true, { fraction: String(index + 1) }),
    ),
  ];
}

interface Body {
  readonly type: string;
  readonly parts: readonly Written[];
  /** Absent: the question's text without changes. */
  readonly text?: Written;
}

const BODIES: KindTable<Body, [writing: Writing]> = {
  variant(question, writing) {
    if (hasAreas(question.options)) writing.loss(AREAS_LOSS);
    return { type: 'multichoice', parts: choice(question, writing) };
  },
  compliance: (question, writing) => ({ type: 'matching', parts: pairsOf(question, writing) }),
  ordering: (question, writing) => ({ type: 'ordering', parts: ordering(question, writing) }),
  gaps: (question, writing) => ({ type: 'cloze', parts: [], text: gapsText(question, writing) }),
  file: (question) => ({ type: 'essay', parts: essay(question) }),
  open(question, writing) {
    if (question.accepted.length > 0)
      return {
        type: isNumerical(question) ? 'numerical' : 'shortanswer',
        parts: openAnswers(question, writing),
      };
    if (question.input !== 'text') writing.loss('поле ответа станет многострочным');
    return { type: 'essay', parts: essay(null) };
  },
};

/** The text with Moodle's embedded answers in place of its gaps. */
function gapsText(question: Kind<'gaps'>, writing: Writing): Written {
  const whole = field('questiontext', withGapPlaces(question.text, gapMark), writing);
  const gaps = new Map(question.gaps.map((gap) => [gap.gapId, writtenGap(gap, writing.loss)]));
  const placed = new Set(gapIdsIn(question.text));
  if (question.gaps.some(({ gapId }) => !placed.has(gapId)))
    writing.loss('пропуски, которых нет в тексте, не переносятся');
  const children = whole.children.map((child) =>
    typeof child !== 'string' && child.name === 'text'
      ? text(
          splitAtGapMarks(textIn(child))
            .map((piece) =>
              typeof piece === 'string' ? piece : (gaps.get(piece.gapId) ?? `[[${piece.gapId}]]`),
            )
            .join(''),
        )
      : child,
  );
  return { ...whole, children };
}

const textIn = ({ children }: Written): string =>
  children.map((child) => (typeof child === 'string' ? child : '')).join('');

/** Null: the kind is not written. */
function written(question: Question, number: number, writing: Writing): Written | null {
  const body = entryOf(BODIES, question)?.(question, writing);
  if (!body) return null;
  const { type, parts } = body;
  const tags = [
    ...(question.tags ?? []),
    ...(question.difficulty ? [difficultyTag(question.difficulty)] : []),
  ];
  return tag(
    'question',
    { type },
    tag('name', {}, text(nameFor(question.title, question.text, number))),
    body.text ?? field('questiontext', question.text, writing),
    field('generalfeedback', question.explanation ?? '', writing),
    own('defaultgrade', question.points),
    own('penalty', 0),
    own('hidden', 0),
    ...parts,
    tags.length > 0 ? tag('tags', {}, ...tags.map((value) => tag('tag', {}, text(value)))) : null,
  );
}

/** A text for the questions after it. */
const description = (markdown: string, writing: Writing): Written =>
  tag(
    'question',
    { type: 'description' },
    tag('name', {}, text(nameFor(undefined, markdown, 0))),
    field('questiontext', markdown, writing),
  );

/** Writes a test for Moodle's import («Формат Moodle XML»). */
export const writeMoodleXml: Writer = ({ title, questions: given, pictures, language }) => {
  const losses = losing();
  const silent = given.map((question, index) => withoutTranscripts(question, index + 1));
  const questions = silent.map(({ question }) => question);
  let last: Question | undefined;
  const parts = questions.flatMap((question, index) => {
    const writing = { pictures, loss: losses.of(index + 1) };
    const node = written(question, index + 1, writing);
    if (!node) {
      writing.loss(unknownKindLoss(question));
      return [];
    }
    const isNew = last === undefined || question.topic !== last.topic;
    const { before, endsFormer } = writtenPassage(last, question, isNew);
    const category =
      !isNew && !endsFormer
        ? []
        : [
            tag(
              'question',
              { type: 'category' },
              tag('category', {}, text(categoryOf(question.topic))),
            ),
          ];
    last = question;
    const passage = before === null ? [] : [description(before, writing)];
    return [...category, ...passage, node];
  });
  return Promise.resolve({
    fileName: fileNameOf(title, 'xml'),
    mimeType: 'application/xml',
    bytes: xmlBytes(tag('quiz', {}, ...parts)),
    losses: [
      ...languageLoss(language),
      ...alternativesLoss(questions),
      ...silent.flatMap((one) => one.losses),
      ...losses.all(),
    ],
  });
};
