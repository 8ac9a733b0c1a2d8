import { elements, type XmlElement } from '#interchange/xml.ts';
import { isClose, UNANSWERED, type InteractionResult, type ItemContext } from './item-context.ts';
import { affirmed } from './conditions.ts';
import { planFeedback } from './feedback.ts';
import { materialText } from './material.ts';
import { blockOf, parentOf, type Response } from './presentation.ts';

const INLINE = { inline: true };

interface Right {
  readonly rightId: string;
  readonly text: string;
}

/** Texts before the fields: inside of a field, or in a block beside it. */
function readLeft(interaction: ItemContext, response: Response, apart: Set<XmlElement>): string {
  const { item, context } = interaction;
  if (response.material.length > 0) {
    for (const node of response.material) apart.add(node);
    return materialText(response.material, context, INLINE);
  }
  const block = parentOf(item, response.node);
  if (!block || block.name === 'presentation') return '';
  apart.add(block);
  return materialText(elements(block), context, INLINE, new Set([response.node]));
}

/** Texts of the right column in the order of the options, if they are separate from them (Blackboard). */
function rightBlock({ item, context }: ItemContext, apart: Set<XmlElement>): readonly string[] {
  const block = blockOf(item, 'RIGHT_MATCH_BLOCK');
  if (!block) return [];
  apart.add(block);
  return elements(block, 'flow').map((one) => materialText([one], context, INLINE));
}

/** The values that rules compare with a field. */
const comparedWith = ({ processing }: ItemContext, response: Response): readonly string[] => [
  ...new Set(
    processing.rules.flatMap(({ condition }) =>
      [...affirmed(condition)].flatMap((one) =>
        one.kind === 'equal' && one.response === response.ident ? [one.value] : [],
      ),
    ),
  ),
];

/** The option that scores most for one field alone; if there is none, the option that the best rule names. */
function rightOption(
  interaction: ItemContext,
  response: Response,
  whole: ReadonlyMap<string, string>,
) {
  const { processing, context } = interaction;
  const base = processing.judge(new Map()).score;
  const worth = comparedWith(interaction, response).map((value) => ({
    value,
    gain: processing.judge(new Map([[response.ident, new Set([value])]])).score - base,
  }));
  // Some exporters subtract points for everything that is not the right one, so that an empty field costs some, too.
  if (base < 0 || worth.some(({ gain }) => gain < 0))
    context.loss('Штраф за неверную пару не переносится');
  const giving = worth.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain);
  if (giving.length > 1) context.loss('У строки было несколько верных пар: осталась одна');
  const [first] = giving;
  const value = first?.value ?? whole.get(response.ident);
  return value === undefined ? null : { value, gain: first?.gain ?? 0 };
}

/** The answers of the rule that names most fields, if only all pairs together earn points. */
function wholeAnswer({ processing, responses }: ItemContext): ReadonlyMap<string, string> {
  const idents = new Set(responses.map(({ ident }) => ident));
  let best = new Map<string, string>();
  for (const { condition, changes } of processing.rules) {
    if (!changes.some(({ value }) => value > 0)) continue;
    const named = new Map(
      [...affirmed(condition)].flatMap((one): [string, string][] =>
        one.kind === 'equal' && idents.has(one.response) ? [[one.response, one.value]] : [],
      ),
    );
    if (named.size > best.size) best = named;
  }
  return best;
}

/** Reads several fields with one list of options: pairs. */
export function readPairs(interaction: ItemContext): InteractionResult {
  const { responses, processing, context, feedback, newId } = interaction;
  const apart = new Set<XmlElement>();
  const column = rightBlock(interaction, apart);
  const rights = new Map<string, Right>();
  const rightOf = (text: string): Right => {
    const known = rights.get(text) ?? { rightId: newId(), text };
    rights.set(text, known);
    return known;
  };
  const whole = wholeAnswer(interaction);
  const lists = new Set<string>();
  const rows = responses.map((response) => {
    const options = response.options.map(({ ident, node }, index) => ({
      ident,
      text: column[index] ?? materialText([node], context, INLINE),
    }));
    const filled = options.filter(({ text }) => text !== '');
    for (const { text } of filled) rightOf(text);
    lists.add(JSON.stringify(filled.map(({ text }) => text).sort()));
    const right = rightOption(interaction, response, whole);
    return {
      ident: response.ident,
      left: readLeft(interaction, response, apart),
      right: right && options.find(({ ident }) => ident === right.value)?.text,
      value: right?.value,
      gain: right?.gain ?? 0,
    };
  });
  if (lists.size > 1) context.loss('Списки справа были у строк разными, здесь – общий');
  const remaining = rows.filter(({ left }) => left !== '');
  if (remaining.length < rows.length) context.loss('Строки без текста слева не переносятся');
  const paired = remaining.filter(({ right }) => right);
  if (paired.length < remaining.length)
    context.loss('Не для каждой строки в файле есть верная пара');
  const full = new Map(
    rows.flatMap(({ ident, value }) => (value ? [[ident, new Set([value])] as const] : [])),
  );
  const outcome = processing.judge(full);
  const best = outcome.score;
  const gains = paired.map(({ gain }) => gain);
  if (best > 0 && gains.some((gain) => gain === 0))
    context.loss('Балл давался только за все пары вместе, здесь – за каждую');
  else if (gains.some((gain) => !isClose(gain / best, (gains[0] ?? 0) / best)))
    context.loss('Пары давали разные баллы, здесь – равные');
  const none = processing.judge(new Map());
  if (none.score > 0) context.loss(UNANSWERED);
  const singles = rows.flatMap(({ ident, value }) =>
    value ? [processing.judge(new Map([[ident, new Set([value])]]))] : [],
  );
  if (singles.length === 0) context.loss('Верных пар в файле нет');
  const plan = planFeedback(feedback, [none, outcome, ...singles], outcome, context.loss);
  const left = remaining.map((row) => ({ leftId: newId(), row }));
  return {
    best,
    plan,
    apart,
    body: {
      kind: 'compliance',
      points: 1,
      shuffle: true,
      left: left.map(({ leftId, row }) => ({ leftId, text: row.left })),
      right: [...rights.values()],
      pairs: left.flatMap(({ leftId, row }) =>
        row.right ? [{ leftId, rightId: rightOf(row.right).rightId }] : [],
      ),
    },
  };
}
