import type { Area } from '#contract/questions.ts';
import { nextAreaText } from '#domain/areas.ts';
import { FILE_BYTES } from '#contract/limits.ts';
import { isWholeOrder } from '#domain/ordering.ts';
import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { maxFilesIn } from '#interchange/items/max-files.ts';
import { elements, type XmlElement } from '#interchange/xml.ts';
import { areaOf, graphicOf, hotspotsOf, sizeOf } from './areas.ts';
import { isTrue, near, rules, type Answered, type InteractionFacts } from './interaction.ts';
import { choiceFeedback, choiceText } from './body.ts';
import { associate, match } from './pairs.ts';
import { maximum, type Declared } from './scoring.ts';
import { feedbackFor, token, typedAnswers } from './typed.ts';

function reportMapping(
  {
    mapping,
    defaultValue,
  }: Pick<Declared, 'defaultValue'> & {
    readonly mapping: readonly { readonly key: string; readonly value: number }[];
  },
  choices: readonly string[],
  right: readonly string[],
  { carried }: InteractionFacts,
): void {
  const worth = (choice: string) =>
    mapping.find(({ key }) => key === choice)?.value ?? defaultValue;
  const each = Math.max(0, ...right.map(worth));
  if (!right.every((choice) => near(worth(choice), each)))
    carried.loss('Верные варианты давали разные баллы, здесь – равные');
  if (!choices.every((choice) => right.includes(choice) || near(worth(choice), -each)))
    carried.loss('Неверный вариант снимает столько, сколько даёт верный; в файле было иначе');
}

/** The source data of a choice's options, in the file's order. */
interface OptionSource {
  readonly node: XmlElement;
  readonly text: string;
  readonly area?: Area;
}

const simpleChoices = ({ interaction, carried }: InteractionFacts): readonly OptionSource[] =>
  elements(interaction, 'simpleChoice').map((node) => ({ node, text: choiceText(node, carried) }));

/** A choice of areas of one picture: `body.ts` puts the picture into the text. */
function hotspot(facts: InteractionFacts): Answered {
  const { interaction, carried } = facts;
  const graphic = graphicOf(interaction);
  const size = graphic && sizeOf(graphic);
  if (!graphic || !size)
    return { reason: 'Размеры картинки в файле не указаны. Отметьте области в редакторе' };
  const texts: string[] = [];
  const sources = hotspotsOf(interaction).map((node) => {
    const area = areaOf(node, size, carried.loss);
    if (!area) carried.loss('Место без своей области на картинке осталось только в списке');
    const label = node.attributes.get('hotspotLabel')?.trim() ?? '';
    const text = label === '' ? nextAreaText(texts) : plainToMarkdown(label, { inline: true });
    texts.push(text);
    return { node, text, ...(area && { area }) };
  });
  return choice(facts, sources);
}

function choice(facts: InteractionFacts, sources = simpleChoices(facts)): Answered {
  const { item, interaction, carried, newId } = facts;
  const { given, rule } = rules(facts);
  const most = Number(interaction.attributes.get('maxChoices') ?? 1);
  const multiple = given.cardinality !== 'single' && most !== 1;
  const choices = sources.map(({ node }) => node);
  // Points of each option: by a mapping, or by a separate branch.
  const isBranched = given.mapping.length === 0 && rule.branches.length > 0;
  const worths = isBranched
    ? rule.branches.map(({ answer, points }) => ({ key: answer, value: points ?? 0 }))
    : given.mapping;
  const mapped = worths.filter(({ value }) => value > 0);
  const best = Math.max(0, ...mapped.map(({ value }) => value));
  const right =
    given.correct.length > 0
      ? given.correct
      : mapped.filter(({ value }) => multiple || value === best).map(({ key }) => key);
  if (!multiple && [given.defaultValue, ...worths.map(({ value }) => value)].some((one) => one < 0))
    carried.loss('Ответы, которые снимали баллы, не переносятся');
  if (right.length === 0) carried.loss('Верный вариант не отмечен');
  if (!multiple && mapped.some(({ key }) => !right.includes(key)))
    carried.loss('Часть балла за неполный ответ не переносится');
  if (!multiple && right.length > 1) carried.loss('Верным остался первый из отмеченных вариантов');
  const isAdded = multiple && isBranched && mapped.length > 0 && rule.correctPoints === null;
  const isPartial = multiple && ((rule.isMapped && given.mapping.length > 0) || isAdded);
  const names = choices.map((one) => one.attributes.get('identifier') ?? '');
  const gained = worths.reduce(
    (total, { key, value }) => total + (right.includes(key) ? value : 0),
    0,
  );
  if (isPartial && rule.correctPoints !== null && !near(rule.correctPoints, gained))
    carried.loss('За все верные варианты вместе давали больше, чем за каждый: здесь доли равны');
  if (isPartial) reportMapping({ ...given, mapping: worths }, names, right, facts);
  if (multiple && most > 1 && most < choices.length)
    carried.loss(`Сколько вариантов можно выбрать (не больше ${most}), не переносится`);
  const least = Number(interaction.attributes.get('minChoices') ?? 0);
  if (multiple && least > 1)
    carried.loss(`Сколько вариантов надо выбрать (не меньше ${least}), не переносится`);
  const shown = new Map(rule.branches.map(({ answer, feedback }) => [answer, feedback]));
  const shuffle = isTrue(interaction, 'shuffle');
  if (shuffle && choices.some((one) => isTrue(one, 'fixed')))
    carried.loss('Варианты, закреплённые на своём месте, тоже перемешиваются');
  const sum = mapped.reduce((total, { value }) => total + value, 0);
  const points =
    maximum(item) ??
    ((rule.isMapped || isAdded) && best > 0
      ? Math.min(given.upperBound ?? Infinity, multiple ? sum : best)
      : (rule.correctPoints ?? 1));
  return {
    kind: 'variant',
    points,
    multiple,
    shuffle,
    scoring: multiple && !isPartial ? 'allOrNothing' : 'partial',
    options: sources.map(({ node: one, text, area }) => {
      const identifier = one.attributes.get('identifier') ?? '';
      return {
        optionId: newId(),
        text,
        ...(area && { area }),
        isRight: multiple ? right.includes(identifier) : right[0] === identifier,
        ...feedbackFor(
          facts,
          [identifier, ...(shown.get(identifier) ?? [])],
          choiceFeedback(one, carried),
        ),
      };
    }),
  };
}

const textEntry = (facts: InteractionFacts): Answered => ({
  kind: 'open',
  ...typedAnswers(facts, maximum(facts.item)),
});

function extendedText(facts: InteractionFacts): Answered {
  const { given, rule } = rules(facts);
  if (rule.isMapped || rule.branches.length > 0) return textEntry(facts);
  if (given.correct.length > 0) facts.carried.loss('Образец ответа не переносится');
  return {
    kind: 'open',
    points: maximum(facts.item) ?? 1,
    input: 'text',
    accepted: [],
    tolerance: 0,
  };
}

function upload({ item, interaction, carried }: InteractionFacts): Answered {
  const size = Number(token(interaction, 'max-bytes-')[0]);
  const type = interaction.attributes.get('type');
  const own = token(interaction, 'accept-');
  return {
    kind: 'file',
    points: maximum(item) ?? 1,
    maxBytes: Number.isInteger(size) && size > 0 ? Math.min(FILE_BYTES, size) : FILE_BYTES,
    accept: own.length > 0 ? own : (type?.split(/[\s,]+/).filter(Boolean) ?? []),
    ...maxFilesIn(token(interaction, 'max-files-')[0], { push: carried.loss }),
  };
}

function order(facts: InteractionFacts): Answered {
  const { item, interaction, carried, newId } = facts;
  const { given, rule } = rules(facts);
  const choices = elements(interaction, 'simpleChoice');
  const names = choices.map((one) => one.attributes.get('identifier') ?? '');
  if (!isWholeOrder(given.correct, names))
    return { reason: 'Верного порядка всех пунктов в файле нет. Составьте вопрос в редакторе' };
  if (interaction.attributes.has('minChoices') || interaction.attributes.has('maxChoices'))
    carried.loss('Расставить надо все пункты; в файле можно было часть');
  carried.loss('Балл даётся и за часть порядка; в файле – по его правилам');
  return {
    kind: 'ordering',
    points: maximum(item) ?? rule.correctPoints ?? 1,
    items: given.correct.flatMap((name) => {
      const found = choices[names.indexOf(name)];
      return found ? [{ itemId: newId(), text: choiceText(found, carried) }] : [];
    }),
  };
}

const READ: Readonly<Record<string, ((facts: InteractionFacts) => Answered) | undefined>> = {
  choiceInteraction: (facts) => choice(facts),
  hotspotInteraction: hotspot,
  textEntryInteraction: textEntry,
  extendedTextInteraction: extendedText,
  matchInteraction: match,
  associateInteraction: associate,
  orderInteraction: order,
  uploadInteraction: upload,
};

const NONE_HERE = ': таких вопросов здесь нет';

const REFUSALS: Readonly<Record<string, string>> = {
  hottextInteraction: `Выбор слов в тексте${NONE_HERE}. Сделайте выбор из вариантов`,
  graphicOrderInteraction: `Порядок на картинке${NONE_HERE}. Сделайте вопрос «Порядок» с картинкой в тексте`,
  graphicAssociateInteraction: `Соединение на картинке${NONE_HERE}. Пронумеруйте места и сделайте соответствие`,
  graphicGapMatchInteraction: `Перетаскивание на картинку${NONE_HERE}. Пронумеруйте места и сделайте соответствие`,
  selectPointInteraction: `Точка на картинке${NONE_HERE}. Сделайте в редакторе выбор области на картинке`,
  positionObjectInteraction: `Размещение на картинке${NONE_HERE}. Пронумеруйте места и сделайте соответствие`,
  sliderInteraction: `Ползунок${NONE_HERE}. Сделайте вопрос с числом`,
  drawingInteraction: `Рисование${NONE_HERE}`,
  mediaInteraction: `Просмотр видео или звука${NONE_HERE}`,
  customInteraction: `Своё поле другой системы${NONE_HERE}`,
  portableCustomInteraction: `Своё поле другой системы${NONE_HERE}`,
};

/** Reads an item’s only interaction, or reports why it has no counterpart here. */
export function readInteraction(facts: InteractionFacts): Answered {
  const { name } = facts.interaction;
  const read = Object.hasOwn(READ, name) ? READ[name] : undefined;
  if (read) return read(facts);
  const known = Object.hasOwn(REFUSALS, name) ? REFUSALS[name] : undefined;
  return { reason: known ?? `${name.slice(0, 40)}${NONE_HERE}` };
}
