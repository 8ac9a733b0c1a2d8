import type { Gap, Passage, Question } from '#contract/questions.ts';
import { areasPicture, hasAreas } from './areas.ts';
import { gapIdsIn } from './format-gaps.ts';
import { withoutInvisible } from './format-typed.ts';
import { markRepeated, shownIdentity } from './normalise.ts';
import { isSamePassage } from './passages.ts';
import { byPlace, placeId } from './variants.ts';

/** Why a test cannot be published; `questionId` null: the test as a whole. */
export interface PublishingProblem {
  readonly questionId: string | null;
  /** Names the question by its number, so that it can stand alone. */
  readonly message: string;
}

const isEmpty = (text: string) => withoutInvisible(text).trim() === '';

/** Whether two of the texts look the same to a reader. */
function hasDoubles(texts: readonly string[]): boolean {
  const seen = texts.filter((text) => !isEmpty(text)).map(shownIdentity);
  return new Set(seen).size < seen.length;
}

const isDoubled = (ids: readonly string[]) => new Set(ids).size < ids.length;

function openProblems({
  accepted,
  tolerance: common,
}: Pick<Extract<Question, { kind: 'open' }>, 'accepted' | 'tolerance'>): string[] {
  if (accepted.length === 0) return [];
  const texts = accepted.map(({ text }) => text);
  const repeated = markRepeated(
    accepted
      .filter(({ text }) => !isEmpty(text))
      .map(({ text, tolerance = common }) => ({ text, tolerance })),
  );
  return [
    ...(texts.some(isEmpty) ? ['среди верных ответов есть пустой'] : []),
    ...(repeated.includes(true) ? ['верные ответы повторяются'] : []),
    ...(accepted.every(({ share }) => share === 0) ? ['ни один ответ не приносит баллов'] : []),
  ];
}

function variantProblems({ text, options }: Extract<Question, { kind: 'variant' }>): string[] {
  const texts = options.map(({ text }) => text);
  const right = options.filter(({ isRight }) => isRight).length;
  return [
    ...(options.length < 2 ? ['нужно хотя бы два варианта'] : []),
    ...(texts.some(isEmpty) ? ['есть вариант без текста'] : []),
    ...(hasDoubles(texts) || isDoubled(options.map(({ optionId }) => optionId))
      ? ['варианты повторяются']
      : []),
    ...(right === 0 ? ['не отмечен верный вариант'] : []),
    ...(hasAreas(options) && areasPicture(text) === null
      ? ['у вариантов есть области, а картинки в тексте нет']
      : []),
  ];
}

function complianceProblems({
  left,
  right,
  pairs,
  reuse,
}: Extract<Question, { kind: 'compliance' }>): string[] {
  const leftIds = left.map(({ leftId }) => leftId);
  const rightIds = right.map(({ rightId }) => rightId);
  const rightOf = new Map(
    pairs
      .filter(({ leftId, rightId }) => leftIds.includes(leftId) && rightIds.includes(rightId))
      .map(({ leftId, rightId }) => [leftId, rightId]),
  );
  const texts = [left.map(({ text }) => text), right.map(({ text }) => text)];
  return [
    ...(left.length < 2 ? ['нужны хотя бы две пары'] : []),
    ...(texts.flat().some(isEmpty) ? ['в парах есть пустая сторона'] : []),
    ...(texts.some(hasDoubles) || isDoubled(leftIds) || isDoubled(rightIds)
      ? ['элементы пар повторяются']
      : []),
    ...(leftIds.some((leftId) => !rightOf.has(leftId)) ? ['не для всех элементов есть пара'] : []),
    ...(pairs.length > rightOf.size ? ['один элемент входит в две пары'] : []),
    ...(!reuse && isDoubled([...rightOf.values()])
      ? ['элемент справа входит в две пары: разрешите правым повторяться']
      : []),
  ];
}

function orderingProblems({ items }: Extract<Question, { kind: 'ordering' }>): string[] {
  const texts = items.map(({ text }) => text);
  return [
    ...(items.length < 2 ? ['нужны хотя бы два пункта'] : []),
    ...(texts.some(isEmpty) ? ['есть пункт без текста'] : []),
    ...(hasDoubles(texts) || isDoubled(items.map(({ itemId }) => itemId))
      ? ['пункты повторяются']
      : []),
  ];
}

function gapProblems(gap: Gap): string[] {
  if (gap.input !== 'choice')
    return gap.accepted.length === 0 ? ['нет верного ответа'] : openProblems(gap);
  const texts = gap.options.map(({ text }) => text);
  return [
    ...(gap.options.length < 2 ? ['нужно хотя бы два варианта'] : []),
    ...(texts.some(isEmpty) ? ['есть вариант без текста'] : []),
    ...(hasDoubles(texts) || isDoubled(gap.options.map(({ optionId }) => optionId))
      ? ['варианты повторяются']
      : []),
    ...(gap.options.some(({ isRight }) => isRight) ? [] : ['не отмечен верный вариант']),
  ];
}

function gapsProblems({ text, gaps }: Extract<Question, { kind: 'gaps' }>): string[] {
  const places = gapIdsIn(text);
  const ids = gaps.map(({ gapId }) => gapId);
  return [
    ...(gaps.length === 0 ? ['в тексте нет пропусков'] : []),
    ...(isDoubled(ids) ? ['номера пропусков повторяются'] : []),
    ...(isDoubled(places) ? ['один пропуск стоит в тексте дважды'] : []),
    ...places
      .filter((gapId) => !ids.includes(gapId))
      .map((gapId) => `в тексте есть [[${gapId}]], а такого пропуска нет`),
    ...gaps.flatMap((gap) => [
      ...(places.includes(gap.gapId) ? [] : [`пропуск ${gap.gapId} не стоит в тексте`]),
      ...gapProblems(gap).map((words) => `пропуск ${gap.gapId}: ${words}`),
    ]),
  ];
}

function keyProblems(question: Question): string[] {
  switch (question.kind) {
    case 'open':
      return openProblems(question);
    case 'variant':
      return variantProblems(question);
    case 'compliance':
      return complianceProblems(question);
    case 'ordering':
      return orderingProblems(question);
    case 'gaps':
      return gapsProblems(question);
    case 'file':
      return [];
  }
}

/** Problems of one question, as texts that follow «Вопрос 7: »; empty: none. */
export function questionProblems(question: Question): readonly string[] {
  return [
    ...(isEmpty(question.text) ? ['нет текста'] : []),
    ...(question.passage && isEmpty(question.passage.text) ? ['общий текст пуст'] : []),
    ...(question.points > 0 ? [] : ['баллы должны быть больше нуля']),
    ...keyProblems(question),
  ];
}

/** Problems between the alternatives of one place. `order`: places of all rows of the test. */
function alternativesProblems(alternatives: readonly Question[], order: readonly string[]) {
  const [first] = alternatives;
  if (!first) return [];
  const start = order.indexOf(placeId(first));
  const areTogether = order
    .slice(start, start + alternatives.length)
    .every((place) => place === placeId(first));
  return [
    ...(alternatives.some(({ points }) => points !== first.points)
      ? ['у вариантов разные баллы']
      : []),
    ...(areTogether ? [] : ['варианты стоят не рядом']),
  ];
}

/** The shared texts by their ids, as the first question with each has it. */
function passagesById(questions: readonly Question[]): ReadonlyMap<string, Passage> {
  const passages = new Map<string, Passage>();
  for (const { passage } of questions)
    if (passage && !passages.has(passage.passageId)) passages.set(passage.passageId, passage);
  return passages;
}

/**
 * What prevents publishing; empty: the test is ready. Questions are numbered as a student sees them:
 * alternatives share a number.
 * @param problemsOf of one question, for a caller that caches them
 */
export function publishingProblems(
  questions: readonly Question[],
  problemsOf: (question: Question) => readonly string[] = questionProblems,
): PublishingProblem[] {
  if (questions.length === 0) {
    return [{ questionId: null, message: 'В тесте нет вопросов: добавьте хотя бы один' }];
  }
  const order = questions.map(placeId);
  const passages = passagesById(questions);
  const isChanged = ({ passage }: Question) =>
    passage && !isSamePassage(passages.get(passage.passageId) ?? passage, passage);
  return [...byPlace(questions).values()].flatMap((alternatives, index) => {
    const name = `Вопрос ${index + 1}`;
    const [first] = alternatives;
    const between = [
      ...alternativesProblems(alternatives, order),
      ...(alternatives.some(isChanged)
        ? ['общий текст не такой, как у других вопросов с ним: измените его в любом из них']
        : []),
    ].map((words) => ({
      questionId: first?.questionId ?? null,
      message: `${name}: ${words}`,
    }));
    const own = alternatives.flatMap((question, at) =>
      problemsOf(question).map((words) => ({
        questionId: question.questionId,
        message: `${alternatives.length > 1 ? `${name}, вариант ${at + 1}` : name}: ${words}`,
      })),
    );
    return [...between, ...own];
  });
}
