import type { Passage, Question } from '#contract/questions.ts';
import { questionRules } from './kinds/question-kinds.ts';
import { isBlank } from './kinds/texts.ts';
import { isSamePassage } from './passages.ts';
import { byPlace, placeId } from './variants.ts';

/** Why a test cannot be published; `questionId` null: the test as a whole. */
export interface PublishingProblem {
  readonly questionId: string | null;
  /** Contains the question's number, so that it is complete by itself. */
  readonly message: string;
}

/** Problems of one question, as texts that follow «Вопрос 7: »; empty: none. */
export function questionProblems(question: Question): readonly string[] {
  return [
    ...(isBlank(question.text) ? ['нет текста'] : []),
    ...(question.passage && isBlank(question.passage.text) ? ['общий текст пуст'] : []),
    ...(question.points > 0 ? [] : ['баллы должны быть больше нуля']),
    ...questionRules(question).problems(question),
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

/** The shared texts by their ids, in the version of the first question with each. */
function passagesById(questions: readonly Question[]): ReadonlyMap<string, Passage> {
  const passages = new Map<string, Passage>();
  for (const { passage } of questions)
    if (passage && !passages.has(passage.passageId)) passages.set(passage.passageId, passage);
  return passages;
}

/**
 * The problems that prevent publishing; empty: the test is ready. Questions are numbered as a student sees them:
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
