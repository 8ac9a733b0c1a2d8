import type { Question } from '#contract/questions.ts';

export interface StudentViewProps {
  readonly number: number | null;
  readonly question: Question;
  readonly resolve: (key: string) => Promise<string>;
}

/** «Как увидит ученик»: the question without its key, live. */
export function StudentView({ question }: StudentViewProps) {
  return <p>{question.text}</p>;
}
