import type { Gap } from '#contract/questions.ts';
import { gapMark } from '#domain/format-gaps.ts';
import { plainWord, weightsOf } from '#interchange/items/gaps.ts';
import { everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import { isClose, UNANSWERED, type InteractionResult, type ItemContext } from './item-context.ts';
import { ownFeedback } from './choice.ts';
import { affirmed } from './conditions.ts';
import { planFeedback, type FeedbackPlan } from './feedback.ts';
import { isFilledIn } from './messages.ts';
import { isResponse, type Response } from './presentation.ts';
import type { ScoreOutcome } from './processing.ts';
import { readAccepted } from './typed.ts';

/** An answer to one field, and its score beyond that of an empty item. */
interface Worth {
  readonly value: string;
  readonly text: string;
  readonly tolerance: number;
  readonly gain: number;
  readonly outcome: ScoreOutcome;
}

/** A field with its answers; `right` of them are right. */
interface Field {
  readonly response: Response;
  readonly gapId: string;
  readonly isTyped: boolean;
  readonly answers: readonly Worth[];
  readonly right: readonly Worth[];
  /** Points of its best answer alone; 0 if only all fields together give any. */
  readonly gain: number;
}

/** Names of a field's position in the text, in square brackets. */
const namesOf = ({ material, ident }: Response): readonly string[] =>
  [material.map(textOf).join('').trim(), ident.replace(/^response_/, ''), ident]
    .filter(Boolean)
    .map((name) => `[${name}]`);

const isText = ({ name }: XmlElement) => name === 'mattext' || name === 'mat_formattedtext';

function* textsOutsideFields(node: XmlElement): Generator<XmlElement> {
  if (isResponse(node)) return;
  if (isText(node)) yield node;
  for (const child of node.children)
    if (typeof child !== 'string') yield* textsOutsideFields(child);
}

/** The name of each field's position in the text; null: not every field has one. */
export function blankNames(
  presentation: XmlElement,
  responses: readonly Response[],
): readonly string[] | null {
  const text = [...textsOutsideFields(presentation)].map(textOf).join(' ');
  const names = responses.map((response) => namesOf(response).find((name) => text.includes(name)));
  return names.every((name) => name !== undefined) && new Set(names).size === names.length
    ? names
    : null;
}

/** The elements with marks of gaps at the positions in brackets. */
function withMarks(node: XmlElement, marks: Map<string, string>): XmlElement {
  if (isResponse(node)) return node;
  if (!isText(node))
    return {
      ...node,
      children: node.children.map((child) =>
        typeof child === 'string' ? child : withMarks(child, marks),
      ),
    };
  let text = textOf(node);
  for (const [name, mark] of marks) {
    if (!text.includes(name)) continue;
    text = text.replace(name, () => mark);
    marks.delete(name);
  }
  return { ...node, children: [text] };
}

/** The text of an option, which a list inside a text shows without markup. */
function optionText(node: XmlElement, loss: (line: string) => void): string {
  const texts = [...everyElement(node)].filter(isText);
  if ([...everyElement(node)].some(({ name }) => name === 'matimage'))
    loss('Картинки в вариантах внутри пропусков не переносятся');
  return texts
    .map((one) =>
      one.attributes.get('texttype')?.toLowerCase() === 'text/plain'
        ? textOf(one).trim()
        : plainWord(textOf(one), loss),
    )
    .join(' ');
}

/** Answers that rules name for a field only together with those of other fields: from the rules with the best score. */
function namedWith({ processing }: ItemContext, { ident }: Response): ReadonlySet<string> {
  const values = processing.rules.flatMap(({ changes }) => changes.map(({ value }) => value));
  const best = Math.max(0, ...values);
  return new Set(
    processing.rules
      .filter(({ changes }) => best > 0 && changes.some(({ value }) => value === best))
      .flatMap(({ condition }) => [...affirmed(condition)])
      .flatMap((one) => (one.kind === 'equal' && one.response === ident ? [one.value] : [])),
  );
}

/** Whether an answer is typed although the file has a list: in Canvas, by its kind or by the option's. */
function isTypedList({ kind }: ItemContext, { options }: Response): boolean {
  const own = options[0]?.node.attributes.get('answer_type');
  return own === undefined ? isFilledIn(kind) : /^openentry$/i.test(own);
}

const SCORING: Readonly<Record<string, string>> = {
  textregex: 'Регулярное выражение в пропуске не переносится: впишите ответы целиком',
  textcontainsanswer:
    'Ответ, в котором достаточно части слов, не переносится: впишите ответы целиком',
  textcloseenough: 'Опечатки в пропуске прощались, здесь – нет',
};

function readField(interaction: ItemContext, response: Response, gapId: string): Field {
  const { processing, context } = interaction;
  const base = processing.judge(new Map()).score;
  const isList = response.node.name === 'response_lid';
  const isTyped = !isList || isTypedList(interaction, response);
  const answers: Worth[] = isList
    ? response.options.map(({ ident, node }) => {
        const outcome = processing.judge(new Map([[response.ident, new Set([ident])]]));
        const text = optionText(node, context.loss);
        return { value: ident, text, tolerance: 0, gain: outcome.score - base, outcome };
      })
    : readAccepted(interaction, response).map((one) => ({
        ...one,
        value: one.text,
        gain: one.outcome.score - base,
      }));
  for (const { node } of response.options) {
    const own = node.attributes.get('scoring_algorithm')?.toLowerCase() ?? '';
    if (Object.hasOwn(SCORING, own)) context.loss(SCORING[own] ?? '');
  }
  if (answers.some(({ gain }) => gain < 0)) context.loss('Штраф за неверный ответ не переносится');
  const gain = Math.max(0, ...answers.map((one) => one.gain));
  const named = namedWith(interaction, response);
  const giving = answers.filter((one) => (gain > 0 ? one.gain > 0 : named.has(one.value)));
  // Canvas names only one of the accepted answers in its rules.
  const right = isList && isTyped ? answers : giving;
  const rights = isTyped ? right : right.filter((one) => gain === 0 || isClose(one.gain / gain, 1));
  if (rights.length < right.length)
    context.loss('Часть балла за другой вариант в пропуске не переносится');
  if (right.length === 0) context.loss(`Верного ответа в пропуске ${gapId} в файле нет`);
  return { response, gapId, isTyped, answers, right: rights, gain };
}

function gapOf(
  { response, gapId, isTyped, answers, right, gain }: Field,
  weight: number,
  { processing, newId }: ItemContext,
  plan: FeedbackPlan,
): Gap {
  const isList = response.node.name === 'response_lid';
  const feedbackOf = ({ value, outcome }: Worth) =>
    plan.of([...(isList ? ownFeedback(value, processing) : []), ...outcome.shown]);
  if (!isTyped)
    return {
      gapId,
      weight,
      input: 'choice',
      options: answers.map((one) => ({
        optionId: newId(),
        text: one.text,
        isRight: right.includes(one),
        ...feedbackOf(one),
      })),
    };
  const tolerance = right[0]?.tolerance ?? 0;
  return {
    gapId,
    weight,
    input: response.isNumeric ? 'number' : 'line',
    tolerance,
    accepted: right.map((one) => ({
      text: one.text,
      share: isList || gain === 0 ? 1 : Math.min(1, Math.round((one.gain / gain) * 1e6) / 1e6),
      ...(one.tolerance === tolerance ? {} : { tolerance: one.tolerance }),
      ...feedbackOf(one),
    })),
  };
}

/** Weights by the points of the fields. */
function weigh(fields: readonly Field[], best: number, loss: (line: string) => void): number[] {
  const gains = fields.map(({ gain }) => gain);
  const sum = gains.reduce((total, gain) => total + gain, 0);
  if (best > 0 && gains.includes(0))
    loss('Балл давался только за все пропуски вместе, здесь – за каждый его доля');
  else if (best > 0) {
    const weights = isClose(sum / best, 1) ? weightsOf(gains) : null;
    if (weights) return weights;
    loss('Балл за каждый пропуск – равная доля; в файле было по-другому');
  }
  return gains.map(() => 1);
}

/** Reads several fields in a text: at their names in brackets, or at their own positions. */
export function readGaps(interaction: ItemContext, presentation: XmlElement): InteractionResult {
  const { responses, processing, context, feedback } = interaction;
  const fields = responses.map((response, index) =>
    readField(interaction, response, String(index + 1)),
  );
  const full = processing.judge(
    new Map(
      fields.flatMap(({ response, right: [first] }) =>
        first ? [[response.ident, new Set([first.value])] as const] : [],
      ),
    ),
  );
  const none = processing.judge(new Map());
  if (none.score > 0) context.loss(UNANSWERED);
  const singles = fields.flatMap(({ answers }) => answers.map(({ outcome }) => outcome));
  const plan = planFeedback(feedback, [none, full, ...singles], full, context.loss);
  const weights = weigh(fields, full.score, context.loss);
  const names = blankNames(presentation, responses);
  const marks = fields.map(({ gapId }) => gapMark(gapId));
  return {
    best: full.score,
    plan,
    apart: new Set(names ? responses.map(({ node }) => node) : []),
    ...(names
      ? {
          presentation: withMarks(
            presentation,
            new Map(names.map((name, index) => [name, marks[index] ?? ''])),
          ),
        }
      : { marks: new Map(responses.map(({ node }, index) => [node, marks[index] ?? ''])) }),
    body: {
      kind: 'gaps',
      points: 1,
      gaps: fields.map((field, index) => gapOf(field, weights[index] ?? 1, interaction, plan)),
    },
  };
}
