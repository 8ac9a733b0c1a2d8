import type { Question, StudentQuestion } from '#contract/questions.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { shuffled } from '#domain/seeded-random.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { selectVariants } from '#domain/variants.ts';

/** A question with its key, and its form on the sheet. */
export interface PaperQuestion {
  readonly question: Question;
  readonly shown: StudentQuestion;
}

/**
 * The questions of one variant, from 1. The same number always gives the same sheet, so that the key can be printed
 * later. Each variant has the next one of several alternatives.
 */
export function paperVariant(
  questions: readonly Question[],
  number: number,
  { isShuffled }: { readonly isShuffled: boolean },
): readonly PaperQuestion[] {
  const selected = selectVariants(questions, number - 1);
  const ordered = isShuffled
    ? shuffled(byPassage(selected), `questions ${number}`).flat()
    : selected;
  return ordered.map((question) => ({ question, shown: shownOn(question, number) }));
}

/** Neighbours with the same shared text stay together. */
function byPassage(questions: readonly Question[]): readonly Question[][] {
  const groups: Question[][] = [];
  for (const question of questions) {
    const last = groups.at(-1);
    const id = question.passage?.passageId;
    if (last && id !== undefined && last[0]?.passage?.passageId === id) last.push(question);
    else groups.push([question]);
  }
  return groups;
}

/** Parts that are always shuffled on paper, but not in the app, have the same order on all sheets. */
function shownOn(question: Question, number: number): StudentQuestion {
  const mixed = questionRules(question).shuffleParts?.(question) ?? question;
  const isAlike = 'shuffle' in question && !question.shuffle;
  const seed = isAlike ? 0 : number;
  const order = shuffled(shuffledIds(mixed), `${seed} ${question.questionId}`);
  const places = new Map(order.map((id, place) => [id, String(place).padStart(4, '0')]));
  return studentQuestion(mixed, (_, partId) => places.get(partId) ?? '');
}

/** Ids of the parts that are shuffled for a student. */
function shuffledIds(question: Question): string[] {
  const ids: string[] = [];
  studentQuestion(question, (_, partId) => {
    ids.push(partId);
    return '';
  });
  return ids;
}
