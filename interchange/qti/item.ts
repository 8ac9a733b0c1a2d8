import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { Difficulty } from '#contract/themes.ts';
import type { Question } from '#contract/questions.ts';
import { areasPicture } from '#domain/areas.ts';
import { fitted } from '#interchange/fitted.ts';
import type { ConversionContext } from '#interchange/html/to-markdown.ts';
import { withMarkedGaps } from '#interchange/items/gaps.ts';
import { ownTitle } from '#interchange/items/titles.ts';
import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import { bodyText, isInteraction, itemFeedback } from './body.ts';
import { graphicOf, sourceOf } from './areas.ts';
import { areGaps, readGaps } from './gaps.ts';
import { readInteraction } from './interactions.ts';
import { readTranscript } from './transcript.ts';
import { convertShared, rubricExcerpt, type Rubric, type SharedText } from './shared-texts.ts';

/** A package's data about an item. */
export interface ItemMetadata {
  readonly title?: string;
  readonly topic?: string;
  readonly tags?: string[];
  readonly difficulty?: Difficulty;
}

export interface ItemSource {
  readonly item: XmlElement;
  readonly metadata: ItemMetadata;
  /** The weight of its points in the test. */
  readonly weight: number;
  readonly format: 'qti2' | 'qti3';
  readonly newId: () => string;
  readonly picture: (src: string, loss: (line: string) => void) => string | null;
  /** Texts of the sections around the item, the outermost first. */
  readonly rubrics: () => readonly SharedText[];
  /** A text that several items share, from a separate file. */
  readonly stimulus: (href: string) => XmlElement | null;
  /** The id of a passage by its text, the same for every item. */
  readonly passageId: (text: string) => string;
}

/** Separator between two texts around an item. */
const GAP = '\n\n';
const NO_MARKS: ReadonlyMap<XmlElement, string> = new Map();

export type ReadItem =
  | {
      readonly question: Question;
      readonly losses: readonly string[];
      /** Rubrics included in the question, and those that its losses report. */
      readonly taken: readonly Rubric[];
      readonly left: readonly Rubric[];
    }
  | { readonly reason: string };

/** The first words of an item, so that a teacher recognizes it. */
export const itemExcerpt = (item: XmlElement): string => {
  const body = element(item, 'itemBody');
  return (body && textOf(body).trim()) || (item.attributes.get('title') ?? '');
};

/** Reports the parts of an item outside of its text. */
function reportBeside(item: XmlElement, loss: (line: string) => void): void {
  const beside = elements(item).flatMap((node) =>
    /^(?:catalogInfo|companionMaterialsInfo|apipAccessibility)$/.test(node.name)
      ? [...everyElement(node)]
      : [],
  );
  if (beside.some((node) => node.name === 'companionMaterialsInfo' && elements(node).length > 0))
    loss('Не перенесено: материалы к вопросу (калькулятор, файлы)');
  if (beside.some(({ name }) => name === 'card' || name === 'accessElement'))
    loss('Не перенесено: тексты для отдельных учеников (глоссарий, озвучивание)');
}

/** Joins the texts around an item. If they are too long together, the nearest ones are used and the others reported. */
function joinShared(
  texts: readonly SharedText[],
  loss: (line: string) => void,
): {
  readonly passage: string;
  readonly taken: readonly Rubric[];
  readonly left: readonly Rubric[];
} {
  const remaining: SharedText[] = [];
  let characters = 0;
  for (const shared of [...texts].reverse()) {
    const { text, rubric } = shared;
    const isFit = characters + text.length <= ANSWER_TEXT_CHARACTERS;
    if (isFit || text.length <= ANSWER_TEXT_CHARACTERS) shared.losses.forEach(loss);
    if (isFit && text !== '') {
      remaining.unshift(shared);
      characters += text.length + GAP.length;
    } else if (text.length > ANSWER_TEXT_CHARACTERS)
      loss('Общий текст слишком длинный и не перенесён: сократите его и добавьте в редакторе');
    else if (!isFit)
      loss(
        `${rubric ? `Пояснение «${rubricExcerpt(rubric)}»` : 'Пояснение'} не поместилось в общий текст и не перенесено: добавьте его в редакторе`,
      );
  }
  const rubricsOf = (some: readonly SharedText[]) => some.flatMap(({ rubric }) => rubric ?? []);
  return {
    passage: remaining.map(({ text }) => text).join(GAP),
    taken: rubricsOf(remaining),
    left: rubricsOf(texts.filter((one) => !remaining.includes(one))),
  };
}

/** The shared texts that an item refers to. */
const readStimuli = (
  { item, stimulus, picture }: Pick<ItemSource, 'item' | 'stimulus' | 'picture'>,
  loss: (line: string) => void,
): SharedText[] =>
  elements(item, 'assessmentStimulusRef').flatMap((ref) => {
    const found = element(stimulus(ref.attributes.get('href') ?? '') ?? undefined, 'stimulusBody');
    if (!found) loss('Общего текста нескольких вопросов в файле нет');
    return found ? [convertShared(found, picture)] : [];
  });

/** Why the picture with the areas cannot be used; null: it can, or there is none. */
function graphicProblem(
  interaction: XmlElement,
  text: string,
  picture: ItemSource['picture'],
): string | null {
  const graphic = interaction.name === 'hotspotInteraction' ? graphicOf(interaction) : undefined;
  if (!graphic) return null;
  const key = picture(sourceOf(graphic), () => undefined);
  if (key === null) return 'Картинки, на которой отвечают, в файле нет';
  return areasPicture(text)?.key === key
    ? null
    : 'Перед картинкой с местами стоит другая. Отметьте области в редакторе';
}

/** Reads one item with element names of version 2. */
export function readItem({
  item,
  metadata,
  weight,
  format,
  newId,
  picture,
  rubrics,
  stimulus,
  passageId,
}: ItemSource): ReadItem {
  const body = element(item, 'itemBody');
  const interactions = body
    ? [...everyElement(body)].filter(
        (node) => isInteraction(node) && node.name !== 'endAttemptInteraction',
      )
    : [];
  const [interaction] = interactions;
  if (!body || !interaction) return { reason: 'Поля для ответа нет: это не вопрос, а текст' };
  const isGapped = areGaps(interactions);
  if (interactions.length > 1 && !isGapped)
    return { reason: `Полей для ответа ${interactions.length}. Разделите на отдельные вопросы` };
  if (elements(item, 'templateDeclaration').length > 0)
    return { reason: 'Числа в вопросе случайны. Сделайте шаблон на экране «Подбор»' };
  const losses = new Set<string>();
  const loss = (line: string) => losses.add(line);
  const carried: ConversionContext = { loss, picture: (src) => picture(src, loss) };
  if (item.attributes.get('adaptive') === 'true')
    loss('Вопрос отвечался в несколько шагов, здесь – за один');
  reportBeside(item, loss);
  const feedback = itemFeedback(item, carried);
  const used = new Set<string>();
  const facts = { item, carried, newId, feedback, used };
  const { answered, marks } = isGapped
    ? readGaps(interactions, facts)
    : { answered: readInteraction({ ...facts, interaction }), marks: NO_MARKS };
  if ('reason' in answered) return answered;
  const stimuli = readStimuli({ item, stimulus, picture }, loss);
  const { passage, taken, left } = joinShared([...rubrics(), ...stimuli], loss);
  const own = withMarkedGaps(bodyText(body, carried, marks));
  // The whole text of the item may be in the shared one.
  const text = own || passage;
  const reason = graphicProblem(interaction, text, picture);
  if (reason !== null) return { reason };
  const explanation = feedback.explanation(used);
  const title = ownTitle(metadata.title ?? item.attributes.get('title') ?? '', text);
  const { title: _, ...rest } = metadata;
  const question: Question = {
    ...answered,
    ...rest,
    questionId: newId(),
    text,
    ...readTranscript(body, carried),
    ...(passage === '' || own === ''
      ? {}
      : { passage: { passageId: passageId(passage), text: passage } }),
    points: answered.points * weight,
    ...(explanation === '' ? {} : { explanation }),
    ...(title === undefined ? {} : { title }),
    origin: { kind: 'import', format },
  };
  const fit = fitted(question);
  return 'reason' in fit
    ? fit
    : { question: fit.question, losses: [...losses, ...fit.losses], taken, left };
}
