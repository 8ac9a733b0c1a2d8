import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { Difficulty } from '#contract/themes.ts';
import type { Passage, Question } from '#contract/questions.ts';
import { fitted } from '#interchange/fitted.ts';
import { withMarkedGaps } from '#interchange/items/gaps.ts';
import { ownTitle } from '#interchange/items/titles.ts';
import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import type { InteractionResult, ItemContext, ReadAnswer } from './item-context.ts';
import { readChoice } from './choice.ts';
import { hasInside } from './conditions.ts';
import { readFeedback } from './feedback.ts';
import { namedKind, numberField, readFields, type Fields } from './fields.ts';
import { blankNames, readGaps } from './gaps.ts';
import { materialText, MaterialTooLong, type TextContext } from './material.ts';
import {
  isCloze,
  isEssay,
  isMatching,
  isUpload,
  MANY_BLANKS,
  MANY_FIELDS,
  refusalOf,
} from './messages.ts';
import { readOrder } from './ordering.ts';
import { readPairs } from './pairs.ts';
import { readResponses, type Response } from './presentation.ts';
import { readProcessing } from './processing.ts';
import { readTyped, readUpload } from './typed.ts';

const BLOCK = { inline: false };

export interface Qti1ItemSource {
  readonly item: XmlElement;
  readonly topic: string | undefined;
  /** Points that the question's group gives to each of its questions. */
  readonly groupPoints: number | null;
  /** The losses of the question's group. */
  readonly groupLosses: readonly string[];
  readonly shuffle: boolean;
  /** The item that contains the shared text; empty: none. */
  readonly stimulus: string;
  /** The text that the question shares with others. */
  readonly passage: Passage | undefined;
  readonly newId: () => string;
  readonly picture: (src: string, loss: (line: string) => void) => string | null;
  readonly embed: (base64: string) => string;
}

export type ReadQti1Item =
  | {
      readonly question: Question;
      readonly losses: readonly string[];
      /** Whether the file scores in percent without points. */
      readonly isPercent: boolean;
    }
  | { readonly reason: string };

const DIFFICULTIES: Readonly<Record<string, Difficulty>> = {
  easy: 'easy',
  medium: 'medium',
  moderate: 'medium',
  hard: 'hard',
  difficult: 'hard',
};

/** A field with answers that are neither a list nor a text here. */
function refusedField(response: Response): string | undefined {
  const names = new Set([...everyElement(response.node)].map(({ name }) => name));
  if (response.node.name === 'response_xy' || names.has('render_hotspot'))
    return refusalOf('hotspot');
  if (isOrder(response)) return undefined;
  if (names.has('render_slider')) return 'Ползунок: таких вопросов здесь нет';
  if (response.node.name === 'response_grp')
    return 'Соответствие или группы на поле с перетаскиванием (response_grp): таких вопросов здесь нет';
  return /^response_(?:lid|str|num)$/.test(response.node.name)
    ? undefined
    : 'Своё поле другой системы: таких вопросов здесь нет';
}

/** Whether a response is a list to put in order; typed answers are called «Ordered», too. */
const isOrder = ({ isOrdered, node }: Response) =>
  isOrdered && (node.name === 'response_lid' || node.name === 'response_grp');

/** Whether a list or a field has texts beside its options. */
const hasOwnText = ({ name, children }: XmlElement, isInside = false): boolean =>
  (isInside && name === 'material') ||
  ((isInside ? name !== 'response_label' : name.startsWith('render_')) &&
    children.some((child) => typeof child !== 'string' && hasOwnText(child, true)));

function readAnswer(interaction: ItemContext): InteractionResult {
  const { responses, kind, context, item } = interaction;
  const [first] = responses;
  if (first === undefined) {
    if (isUpload(kind)) return readUpload(interaction);
    return {
      reason: refusalOf('text_only_question') ?? '',
    };
  }
  if (responses.some(isOrder))
    return responses.length > 1
      ? { reason: MANY_FIELDS(responses.length) }
      : readOrder(interaction, first);
  const isListed = responses.every(({ node }) => node.name === 'response_lid');
  const presentation = element(item, 'presentation');
  const isInText =
    presentation &&
    !isMatching(kind) &&
    (isCloze(kind) ||
      (isListed
        ? blankNames(presentation, responses) !== null
        : responses.length > 1 && responses.every(({ node }) => node.name !== 'response_lid')));
  if (isInText)
    return responses.some(({ node, options }) => node.name !== 'response_lid' && options.length > 1)
      ? { reason: MANY_BLANKS }
      : readGaps(interaction, presentation);
  if (isListed)
    return isMatching(kind) || responses.length > 1
      ? readPairs(interaction)
      : readChoice(interaction, first);
  if (responses.length > 1) return { reason: MANY_FIELDS(responses.length) };
  if (isUpload(kind)) context.loss('Ответ – только файл, без текста рядом');
  return isUpload(kind) ? readUpload(interaction) : readTyped(interaction, first);
}

/** Points of the question: those in the file, else the maximum of the score; percents give none. */
function pointsOf(
  fields: Fields,
  maximum: number | null,
  best: number,
  groupPoints: number | null,
): { points: number; isPercent: boolean } {
  const named =
    groupPoints ?? numberField(fields, 'points_possible', 'cc_weighting', 'qmd_weighting');
  if (named !== null && named >= 0) return { points: named, isPercent: false };
  const absolute = numberField(fields, 'qmd_absolutescore_max');
  if (maximum !== null && maximum > 0 && (maximum !== 100 || absolute === 100))
    return { points: maximum, isPercent: false };
  if (absolute !== null && absolute > 0) return { points: absolute, isPercent: false };
  if (maximum === 100 || best === 100) return { points: 1, isPercent: best > 0 };
  return { points: best > 0 ? best : 1, isPercent: false };
}

/** Whether an item is a text between the questions (Canvas). */
export const isTextOnly = (item: XmlElement): boolean =>
  namedKind(readFields(item)).toLowerCase() === 'text_only_question';

/** The text of an item that is no question; null if it is one. */
export function readStimulus(
  { item, ...source }: Pick<Qti1ItemSource, 'item' | 'picture' | 'embed'>,
  loss: (line: string) => void,
): { readonly text: string; readonly isTooLong: boolean } | null {
  const presentation = element(item, 'presentation');
  if (!presentation || readResponses(item).length > 0) return null;
  const context = {
    loss,
    picture: (src: string) => source.picture(src, loss),
    embed: source.embed,
  };
  try {
    const text = materialText(elements(presentation), context, BLOCK);
    return { text, isTooLong: text.length > ANSWER_TEXT_CHARACTERS };
  } catch (error) {
    if (!(error instanceof MaterialTooLong)) throw error;
    return { text: '', isTooLong: true };
  }
}

/** Reports texts beside the question that have no place here. */
function reportAside(
  { item, stimulus, passage }: Qti1ItemSource,
  fields: Fields,
  loss: (line: string) => void,
): void {
  const hasPassage = passage !== undefined;
  const names = ['rubric', 'itemrubric', 'objectives', 'presentation_material'];
  if (names.some((name) => elements(item, name).some((node) => textOf(node).trim() !== '')))
    loss('Указания и критерии рядом с вопросом не переносятся');
  if (stimulus !== '' && !hasPassage)
    loss('Общий текст нескольких вопросов не переносится: добавьте его в текст вопроса');
  if (fields.has('grading_notes')) loss('Заметки для проверяющего не переносятся');
  const isCounted = [...everyElement(item)].some(
    ({ attributes }) => attributes.get('word_limit_enabled')?.toLowerCase() === 'yes',
  );
  if (isCounted) loss('Границы числа слов не переносятся');
}

const isNumeric = (kind: string) => /^(?:numerical|numeric|assnumeric)/i.test(kind);

function readInteraction(
  source: Qti1ItemSource,
  kind: string,
  fields: Fields,
  context: TextContext,
): ItemContext {
  const { item, newId, shuffle } = source;
  const responses = readResponses(item);
  const options = new Set(responses.flatMap(({ options: own }) => own.map(({ ident }) => ident)));
  const single = new Set(responses.filter(({ isSingle }) => isSingle).map(({ ident }) => ident));
  const lists = new Set(
    responses.filter(({ node }) => node.name === 'response_lid').map(({ ident }) => ident),
  );
  const share = 1 / Math.max(1, responses.length);
  const read = (numeric: ReadonlySet<string>) =>
    readProcessing(item, { single, lists, numeric }, options, share);
  const rules = read(new Set()).rules;
  // Some exporters show only by their conditions that an answer is a number.
  const withNumbers = responses.map((response) => ({
    ...response,
    isNumeric:
      response.isNumeric ||
      (response.node.name === 'response_str' &&
        (isNumeric(kind) ||
          rules.some(({ condition }) =>
            hasInside(condition, (one) => one.kind === 'bound' && one.response === response.ident),
          ))),
  }));
  const numeric = new Set(withNumbers.filter((one) => one.isNumeric).map(({ ident }) => ident));
  return {
    item,
    fields,
    kind,
    responses: withNumbers,
    processing: read(numeric),
    feedback: readFeedback(item, context),
    context,
    shuffle,
    newId,
  };
}

function buildQuestion(
  interaction: ItemContext,
  { body, best, plan, apart, ...answer }: ReadAnswer,
  source: Qti1ItemSource,
): ReadQti1Item {
  const { item, fields, processing } = interaction;
  const context = { ...interaction.context, marks: answer.marks };
  const presentation = answer.presentation ?? element(item, 'presentation');
  const labels = interaction.responses.flatMap(({ options }) => options.map(({ node }) => node));
  const skipped = new Set([...apart, ...labels]);
  const marked = materialText(presentation ? elements(presentation) : [], context, BLOCK, skipped);
  const text = body.kind === 'gaps' ? withMarkedGaps(marked) : marked;
  const { points, isPercent } = pointsOf(fields, processing.maximum, best, source.groupPoints);
  const { maximum } = processing;
  if (maximum !== null && best > 0 && best < maximum * 0.998 && best !== points)
    context.loss(`Лучший ответ давал ${best} из ${maximum}, здесь – весь балл`);
  const explanation = plan.explanation();
  const named = item.attributes.get('title') ?? '';
  const title = ownTitle(named, text);
  const difficulty = DIFFICULTIES[fields.get('qmd_levelofdifficulty')?.toLowerCase() ?? ''];
  const tags = (fields.get('qmd_keywords') ?? '').split(/[,;]/).map((tag) => tag.trim());
  const topic = fields.get('qmd_topic') ?? source.topic;
  const fit = fitted({
    ...body,
    questionId: source.newId(),
    text,
    points,
    ...(source.passage ? { passage: source.passage } : {}),
    ...(explanation === '' ? {} : { explanation }),
    ...(title === undefined ? {} : { title }),
    ...(topic === undefined ? {} : { topic }),
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(tags.some(Boolean) ? { tags: tags.filter(Boolean) } : {}),
    origin: { kind: 'import', format: 'qti1' },
  });
  return 'reason' in fit ? fit : { ...fit, isPercent };
}

/** Reads one item of QTI 1.2, or returns why it has no counterpart here. */
export function readItem(source: Qti1ItemSource): ReadQti1Item {
  const { item } = source;
  const losses = new Set<string>(source.groupLosses);
  const loss = (line: string) => losses.add(line);
  const context: TextContext = {
    loss,
    picture: (src) => source.picture(src, loss),
    embed: source.embed,
  };
  const fields = readFields(item);
  const kind = namedKind(fields);
  const isCalculated = [...everyElement(item)].some(({ name }) => name === 'calculated');
  const refused = refusalOf(isCalculated ? 'calculated' : kind);
  if (refused !== undefined) return { reason: refused };
  try {
    const interaction = readInteraction(source, kind, fields, context);
    for (const response of interaction.responses) {
      if (elements(response.node).some((one) => hasOwnText(one)))
        loss('Текст внутри списка или поля для ответа не перенесён: допишите его в вопрос');
      const reason = refusedField(response);
      if (reason !== undefined) return { reason };
    }
    if (interaction.responses.some(({ options }) => options.length > 100))
      return { reason: 'Вариантов больше 100. Разделите вопрос на части' };
    reportAside(source, fields, loss);
    if (interaction.processing.isStrange && !isEssay(kind) && !interaction.responses.some(isOrder))
      loss('Правила проверки прочитаны не все: проверьте ключ');
    const answer = readAnswer(interaction);
    if ('reason' in answer) return answer;
    const read = buildQuestion(interaction, answer, source);
    return 'reason' in read ? read : { ...read, losses: [...losses, ...read.losses] };
  } catch (error) {
    if (!(error instanceof MaterialTooLong)) throw error;
    return { reason: 'Текст слишком длинный. Разделите вопрос на части' };
  }
}
