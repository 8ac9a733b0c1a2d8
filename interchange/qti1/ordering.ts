import { isWholeOrder } from '#domain/ordering.ts';
import { elements, textOf, type XmlElement } from '#interchange/xml.ts';
import { type InteractionResult, type ItemContext } from './item-context.ts';
import { planFeedback } from './feedback.ts';
import { materialText } from './material.ts';
import type { Response } from './presentation.ts';

const INLINE = { inline: true };

/** An option at the position that a rule gives it; without an index the position is that among its neighbours. */
interface Placed {
  readonly option: string;
  readonly index: number | null;
}

const numberOf = (text: string | undefined) =>
  /^\s*\d{1,4}\s*$/.test(text ?? '') ? Number(text) : null;

/** The options that a condition puts in order. Brightspace names the option and compares it with its position. */
function placedIn(
  node: XmlElement,
  response: string,
  options: ReadonlySet<string>,
): readonly Placed[] {
  if (node.name === 'not') return [];
  if (node.name !== 'varequal')
    return elements(node).flatMap((one) => placedIn(one, response, options));
  const compared = node.attributes.get('respident')?.trim() ?? '';
  const value = textOf(node).trim();
  if (compared === response && options.has(value))
    return [{ option: value, index: numberOf(node.attributes.get('index')) }];
  return options.has(compared) ? [{ option: compared, index: numberOf(value) }] : [];
}

const isIndexed = (placed: readonly Placed[]) => placed.every(({ index }) => index !== null);

const inOrder = (placed: readonly Placed[]) =>
  (isIndexed(placed) ? [...placed].sort((a, b) => (a.index ?? 0) - (b.index ?? 0)) : placed).map(
    ({ option }) => option,
  );

/** A number above zero, or a word like `SCORE.max`. */
const givesPoints = (set: XmlElement) =>
  !(Number(textOf(set)) <= 0) && !/subtract/i.test(set.attributes.get('action') ?? '');

/** The right orders that the rules name: each rule a whole order, or one of the positions of many rules. */
function ordersOf({ item }: ItemContext, response: Response): readonly (readonly string[])[] {
  const names = response.options.map(({ ident }) => ident);
  const options = new Set(names);
  const rules = elements(item, 'resprocessing')
    .flatMap((one) => elements(one, 'respcondition'))
    .filter((one) => elements(one, 'setvar').some(givesPoints))
    .map((one) =>
      elements(one, 'conditionvar').flatMap((part) => placedIn(part, response.ident, options)),
    );
  const whole = rules.map(inOrder).filter((order) => isWholeOrder(order, names));
  if (whole.length > 0) return whole;
  const places = rules.flat();
  const byPlace = new Map(places.map((one) => [`${one.index} ${one.option}`, one]));
  const order = inOrder([...byPlace.values()]);
  return isIndexed(places) && isWholeOrder(order, names) ? [order] : [];
}

/** Reads a list of options to put in order. */
export function readOrder(interaction: ItemContext, response: Response): InteractionResult {
  const { processing, context, feedback, newId } = interaction;
  const orders = ordersOf(interaction, response);
  const [right] = orders;
  if (!right)
    return { reason: 'Верного порядка всех пунктов в файле нет. Составьте вопрос в редакторе' };
  if (new Set(orders.map((order) => JSON.stringify(order))).size > 1)
    context.loss('Верных порядков было несколько: остался первый');
  context.loss('Балл даётся и за часть порядка; в файле – по его правилам');
  const none = processing.judge(new Map());
  const outcome = processing.judge(
    new Map([
      [response.ident, new Set(right)],
      ...right.map((option, index) => [option, new Set([String(index + 1)])] as const),
    ]),
  );
  return {
    best: outcome.score,
    plan: planFeedback(feedback, [none, outcome], outcome, context.loss),
    apart: new Set(),
    body: {
      kind: 'ordering',
      points: 1,
      items: right.flatMap((ident) => {
        const option = response.options.find((one) => one.ident === ident);
        return option
          ? [{ itemId: newId(), text: materialText([option.node], context, INLINE) }]
          : [];
      }),
    },
  };
}
