import { IconAlertTriangle } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';

/** Replaces a question that cannot be shown. Time, navigation and the other questions still work. */
export function QuestionProblem({ reset }: ErrorComponentProps) {
  return (
    <InlineNote
      tone="warn"
      icon={IconAlertTriangle}
      role="status"
      action={<QuietButton onClick={reset}>Повторить</QuietButton>}
    >
      Этот вопрос не открылся. Ваши ответы целы, остальные вопросы работают.
    </InlineNote>
  );
}
