import { elements, type XmlElement } from '#interchange/xml.ts';
import { isTrue, near, rules, type Answered, type InteractionFacts } from './interaction.ts';
import { choiceText } from './body.ts';
import { maximum, type Declared } from './scoring.ts';

interface Pair {
  readonly left: string;
  readonly right: string;
}

function pairsOf({ correct, mapping }: Declared): Pair[] {
  const given =
    correct.length > 0 ? correct : mapping.filter(({ value }) => value > 0).map(({ key }) => key);
  return given.flatMap((pair) => {
    const [left, right] = pair.split(/\s+/);
    return left && right ? [{ left, right }] : [];
  });
}

const isSingle = (ids: readonly string[]) => new Set(ids).size === ids.length;

/** Whether an item of a column may be in several pairs; 0: in any number. */
/** Whether a choice may be matched more than once; both versions assume once by default. */
export const mayRepeat = (choice: XmlElement) =>
  (choice.attributes.get('matchMax') ?? '1').trim() !== '1';

function compliance(
  facts: InteractionFacts,
  left: readonly XmlElement[],
  right: readonly XmlElement[],
  pairs: readonly Pair[],
): Answered {
  const { item, interaction, carried, newId } = facts;
  const { given, rule } = rules(facts);
  if (pairs.length === 0) carried.loss('Верные пары не отмечены');
  if (!rule.isMapped && pairs.length > 1)
    carried.loss('Балл давался только за все пары вместе, здесь – за каждую');
  else if (!given.mapping.every(({ value }) => near(value, given.mapping[0]?.value ?? 0)))
    carried.loss('Пары давали разные баллы, здесь – равные');
  else if (given.mapping.some(({ value }) => value < 0) || given.defaultValue < 0)
    carried.loss('Штраф за неверную пару не переносится');
  const side = (choices: readonly XmlElement[]) =>
    new Map(
      choices.map((one) => [
        one.attributes.get('identifier') ?? '',
        { id: newId(), text: choiceText(one, carried) },
      ]),
    );
  const lefts = side(left);
  const rights = side(right);
  const sum = given.mapping.reduce((total, { value }) => total + Math.max(0, value), 0);
  const points =
    maximum(item) ??
    (rule.isMapped && sum > 0
      ? Math.min(given.upperBound ?? Infinity, sum)
      : (rule.correctPoints ?? 1));
  return {
    kind: 'compliance',
    points,
    shuffle: isTrue(interaction, 'shuffle'),
    left: [...lefts.values()].map(({ id, text }) => ({ leftId: id, text })),
    right: [...rights.values()].map(({ id, text }) => ({ rightId: id, text })),
    ...(right.some(mayRepeat) ? { reuse: true } : {}),
    pairs: pairs.flatMap((pair) => {
      const from = lefts.get(pair.left);
      const to = rights.get(pair.right);
      return from && to ? [{ leftId: from.id, rightId: to.id }] : [];
    }),
  };
}

const MANY = 'Одному слева соответствует несколько справа: здесь у каждого одна пара';

/** Pairs of the key from the first column to the second; some exporters write them in reverse. */
function orientedPairs(
  facts: InteractionFacts,
  first: readonly XmlElement[],
  second: readonly XmlElement[],
): Pair[] {
  const [lefts, rights] = [first, second].map(
    (choices) => new Set(choices.map((one) => one.attributes.get('identifier') ?? '')),
  );
  const isPair = ({ left, right }: Pair) =>
    lefts?.has(left) === true && rights?.has(right) === true;
  const turn = ({ left, right }: Pair): Pair => ({ left: right, right: left });
  const pairs = pairsOf(rules(facts).given);
  const isTurned = (pair: Pair) => !isPair(pair) && isPair(turn(pair));
  if (pairs.some(isTurned))
    facts.carried.loss('Пары в ключе записаны в обратном порядке: проверьте их');
  if (pairs.some((pair) => !isPair(pair) && !isTurned(pair)))
    facts.carried.loss('В ключе есть пары, которых нет среди вариантов: проверьте его');
  return pairs.map((pair) => (isTurned(pair) ? turn(pair) : pair));
}

/** Two columns. In one of them each item has one pair. */
export function match(facts: InteractionFacts): Answered {
  const [first, second] = elements(facts.interaction, 'simpleMatchSet').map((set) =>
    elements(set, 'simpleAssociableChoice'),
  );
  if (!first || !second) return { reason: 'В соответствии нет двух столбцов' };
  const pairs = orientedPairs(facts, first, second);
  if (isSingle(pairs.map(({ left }) => left))) return compliance(facts, first, second, pairs);
  if (!isSingle(pairs.map(({ right }) => right))) return { reason: MANY };
  facts.carried.loss('Столбцы поменялись местами: слева стоит то, у чего одна пара');
  const turned = pairs.map(({ left, right }) => ({ left: right, right: left }));
  return compliance(facts, second, first, turned);
}

/** One list of items to pair. */
export function associate(facts: InteractionFacts): Answered {
  const choices = elements(facts.interaction, 'simpleAssociableChoice');
  const pairs = pairsOf(rules(facts).given);
  const ids = pairs.flatMap(({ left, right }) => [left, right]);
  if (pairs.length === 0 || !isSingle(ids)) return { reason: MANY };
  facts.carried.loss('Пары из общего списка стали двумя столбцами');
  const lefts = new Set(pairs.map(({ left }) => left));
  const isLeft = (one: XmlElement) => lefts.has(one.attributes.get('identifier') ?? '');
  return compliance(
    facts,
    choices.filter(isLeft),
    choices.filter((one) => !isLeft(one)),
    pairs,
  );
}
