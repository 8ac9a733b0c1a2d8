import type { Question } from '#contract/questions.ts';
import { normaliseText } from './normalise.ts';

/** Why a test cannot be published; `questionId` null: the test as a whole. */
export interface PublishingProblem {
  readonly questionId: string | null;
  /** Names the question by its number, so that it can stand alone. */
  readonly message: string;
}

const isEmpty = (text: string) => text.trim() === '';

/** Whether two of the texts are the same to a reader. */
function hasDoubles(texts: readonly string[]): boolean {
  const kept = texts.filter((text) => !isEmpty(text)).map(normaliseText);
  return new Set(kept).size < kept.length;
}

const isDoubled = (ids: readonly string[]) => new Set(ids).size < ids.length;

function openProblems({ accepted }: Extract<Question, { kind: 'open' }>): string[] {
  if (accepted.length === 0) return [];
  const texts = accepted.map(({ text }) => text);
  return [
    ...(texts.some(isEmpty) ? ['среди верных ответов есть пустой'] : []),
    ...(hasDoubles(texts) ? ['верные ответы повторяются'] : []),
    ...(accepted.every(({ share }) => share === 0) ? ['ни один ответ не приносит баллов'] : []),
  ];
}

function variantProblems({ options, multiple }: Extract<Question, { kind: 'variant' }>): string[] {
  const texts = options.map(({ text }) => text);
  const right = options.filter(({ isRight }) => isRight).length;
  return [
    ...(options.length < 2 ? ['нужно хотя бы два варианта'] : []),
    ...(texts.some(isEmpty) ? ['есть вариант без текста'] : []),
    ...(hasDoubles(texts) || isDoubled(options.map(({ optionId }) => optionId))
      ? ['варианты повторяются']
      : []),
    ...(right === 0 ? ['не отмечен верный вариант'] : []),
    ...(!multiple && right > 1 ? ['верных вариантов несколько, а выбрать можно один'] : []),
  ];
}

function complianceProblems({
  left,
  right,
  pairs,
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
    ...(pairs.length > rightOf.size || isDoubled([...rightOf.values()])
      ? ['один элемент входит в две пары']
      : []),
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
    case 'file':
      return [];
  }
}

/** What stands between these questions and a published test; empty: it is ready. */
export function publishingProblems(questions: readonly Question[]): PublishingProblem[] {
  if (questions.length === 0) {
    return [{ questionId: null, message: 'В тесте нет вопросов: добавьте хотя бы один' }];
  }
  return questions.flatMap((question, index) =>
    [
      ...(isEmpty(question.text) ? ['нет текста'] : []),
      ...(question.points > 0 ? [] : ['баллы должны быть больше нуля']),
      ...keyProblems(question),
    ].map((words) => ({
      questionId: question.questionId,
      message: `Вопрос ${index + 1}: ${words}`,
    })),
  );
}
