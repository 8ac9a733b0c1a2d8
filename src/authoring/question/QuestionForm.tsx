import type { Question } from '#contract/questions.ts';

export interface QuestionFormProps {
  /** Place in the test from 1, where it has one. */
  readonly number: number | null;
  readonly question: Question;
  /** `field` names what was typed into: changes to the same one are one step of undo. */
  readonly onChange: (question: Question, field: string) => void;
  /** What stands between the question and a published test, in Russian. */
  readonly problems: readonly string[];
  /** As `RichText` takes it. */
  readonly resolve: (key: string) => Promise<string>;
  /** Buttons at the right of the head: duplicate, delete. */
  readonly actions?: React.ReactNode;
}

/** Everything of one question, whatever its kind. */
export function QuestionForm({ question, onChange }: QuestionFormProps) {
  return (
    <textarea
      aria-label="Текст вопроса"
      value={question.text}
      onChange={(event) => onChange({ ...question, text: event.currentTarget.value }, 'text')}
    />
  );
}
