import type { Gap } from '#contract/questions.ts';
import { innerText, xmlTree } from '#interchange/html/tree.ts';
import { gapMark } from '#domain/format-gaps.ts';
import { reportGapWord, weightsOf, WORDS_STAY } from '#interchange/items/gaps.ts';
import { areDependent } from './dependent-fields.ts';
import { mayRepeat } from './pairs.ts';
import { elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import { rules, type Answered, type InteractionFacts } from './interaction.ts';
import { token, typedAnswers } from './typed.ts';
import { maximum, processing } from './scoring.ts';

/** Reads items with several fields in their text as one question with gaps. */

type Facts = Omit<InteractionFacts, 'interaction'>;

interface ReadGap {
  readonly gap: Gap;
  readonly points: number;
  /** Its element in the body. The gap replaces it. */
  readonly at: XmlElement;
}

const FIELDS = new Set(['textEntryInteraction', 'inlineChoiceInteraction']);

/** Our mark of a lone field that is a gap in its text rather than the place of an answer. */
const isOwn = (field: XmlElement) => token(field, 'gap-').length > 0;

/** Whether an item’s fields are in its text. */
export function areGaps(interactions: readonly XmlElement[]): boolean {
  const [first] = interactions;
  if (interactions.length > 1 || !first) return interactions.every(({ name }) => FIELDS.has(name));
  return /^(?:inlineChoice|gapMatch)Interaction$/.test(first.name) || isOwn(first);
}

/** Text without markup, which a select list cannot show. */
function plain(node: XmlElement, { carried }: Facts): string {
  if (
    [...everyElement(node)].some(
      ({ name }) => !/^(?:p|span|div|br)$/.test(name) && name !== node.name,
    )
  )
    carried.loss('Оформление вариантов внутри пропусков не переносится');
  reportGapWord(
    [...everyElement(node)].some(({ name }) => name === 'math') ? '<math' : textOf(node),
    carried.loss,
  );
  return innerText(xmlTree(node.children)).replaceAll(/\s+/g, ' ').trim();
}

/** The right keys of one field, and the points of the best one. */
function worth(facts: Facts, interaction: XmlElement, keys: readonly string[]) {
  const { given, rule } = rules({ ...facts, interaction });
  if ([given.defaultValue, ...given.mapping.map(({ value }) => value)].some((one) => one < 0))
    facts.carried.loss('Неверный ответ в пропуске снимал баллы, здесь – нет');
  const mapped = given.mapping.filter(({ key, value }) => keys.includes(key) && value > 0);
  const best = Math.max(0, ...mapped.map(({ value }) => value));
  const correct = given.correct.filter((key) => keys.includes(key));
  const right =
    correct.length > 0
      ? correct
      : mapped.flatMap(({ key, value }) => (value === best ? [key] : []));
  if (mapped.some(({ key }) => !right.includes(key)))
    facts.carried.loss('Часть балла за неполный ответ в пропуске не переносится');
  return { right, points: best > 0 ? best : (rule.correctPoints ?? 1) };
}

function inlineChoice(facts: Facts, at: XmlElement, gapId: string): ReadGap {
  const choices = elements(at, 'inlineChoice').map((one) => ({
    key: one.attributes.get('identifier') ?? '',
    text: plain(one, facts),
  }));
  const { right, points } = worth(
    facts,
    at,
    choices.map(({ key }) => key),
  );
  if (right.length === 0) facts.carried.loss('Верный вариант не отмечен');
  const options = choices.map(({ key, text }) => ({
    optionId: facts.newId(),
    text,
    isRight: right.includes(key),
  }));
  return { gap: { gapId, weight: 1, input: 'choice', options }, points, at };
}

function textEntry(facts: Facts, at: XmlElement, gapId: string): ReadGap {
  const { input, accepted, tolerance, points } = typedAnswers({ ...facts, interaction: at }, null);
  const gap = {
    gapId,
    weight: 1,
    input: input === 'number' ? ('number' as const) : ('line' as const),
    accepted,
    tolerance,
  };
  return { gap, points, at };
}

/** Words to drag into the gaps of a text: each gap gets a list of them all, so that students see one bank. */
function gapMatch(facts: Facts, interaction: XmlElement): ReadGap[] {
  const words = elements(interaction, 'gapText').map((one) => ({
    key: one.attributes.get('identifier') ?? '',
    text: plain(one, facts),
  }));
  const places = [...everyElement(interaction)].filter(({ name }) => name === 'gap');
  if (places.length > 1 && !elements(interaction, 'gapText').every(mayRepeat))
    facts.carried.loss(WORDS_STAY);
  return places.map((at, index) => {
    const own = at.attributes.get('identifier') ?? '';
    const pairOf = (key: string) => `${key} ${own}`;
    const { right, points } = worth(
      facts,
      interaction,
      words.map(({ key }) => pairOf(key)),
    );
    const options = words.map(({ key, text }) => ({
      optionId: facts.newId(),
      text,
      isRight: right.includes(pairOf(key)),
    }));
    return { gap: { gapId: String(index + 1), weight: 1, input: 'choice', options }, points, at };
  });
}

/** The points of an item that gives them only for all fields together; null: each field gives its own. */
function jointPointsOf({ item }: Facts, [first]: readonly XmlElement[]): number | null {
  if (!first) return null;
  const rule = processing(item, first.attributes.get('responseIdentifier') ?? 'RESPONSE');
  const isOneResponse = first.name === 'gapMatchInteraction' && rule.isWhole;
  return rule.isJoint || isOneResponse ? (rule.correctPoints ?? 1) : null;
}

/** Weights by the points of the fields, if they add up to those of the whole item. */
function weighted(
  read: readonly ReadGap[],
  facts: Facts,
  jointPoints: number | null,
): { gaps: Gap[]; points: number } {
  if (jointPoints !== null) {
    facts.carried.loss('Балл давался только за все пропуски вместе, здесь – за каждый его доля');
    const points = maximum(facts.item) ?? jointPoints;
    return { gaps: read.map(({ gap }) => gap), points };
  }
  const each = read.map(({ points }) => points);
  const sum = each.reduce((total, points) => total + points, 0);
  const whole = maximum(facts.item) ?? sum;
  const isSum = Math.abs(whole - sum) < 0.01 * Math.max(1, whole);
  const weights = isSum ? weightsOf(each) : null;
  if (!weights) facts.carried.loss('Балл за каждый пропуск – равная доля; в файле было по-другому');
  return {
    gaps: read.map(({ gap }, index) => ({ ...gap, weight: weights?.[index] ?? 1 })),
    points: whole,
  };
}

export interface ItemGaps {
  readonly answered: Answered;
  /** Marks of the gaps by their elements in the body. */
  readonly marks: ReadonlyMap<XmlElement, string>;
}

/** Reads an item with fields in its text. */
export function readGaps(interactions: readonly XmlElement[], facts: Facts): ItemGaps {
  const [first] = interactions;
  const read =
    first?.name === 'gapMatchInteraction'
      ? gapMatch(facts, first)
      : interactions.map((at, index) =>
          (at.name === 'inlineChoiceInteraction' ? inlineChoice : textEntry)(
            facts,
            at,
            String(index + 1),
          ),
        );
  const responses = interactions.map((one) => one.attributes.get('responseIdentifier') ?? '');
  if (first && new Set(responses).size < responses.length)
    facts.carried.loss('Ответы записаны общим списком на все пропуски: проверьте, где какой верен');
  if (areDependent(facts.item, responses))
    facts.carried.loss(
      'Верность ответа зависела и от других пропусков: здесь каждый проверяется сам',
    );
  if (read.length === 0)
    return { answered: { reason: 'Пропусков в тексте нет' }, marks: new Map() };
  if (first?.name === 'gapMatchInteraction' && elements(first, 'gapImg').length > 0)
    return {
      answered: { reason: 'Перетаскивание картинок в текст: таких вопросов здесь нет' },
      marks: new Map(),
    };
  return {
    answered: { kind: 'gaps', ...weighted(read, facts, jointPointsOf(facts, interactions)) },
    marks: new Map(read.map(({ at, gap }) => [at, gapMark(gap.gapId)])),
  };
}
