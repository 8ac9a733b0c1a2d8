import { QuestionKey } from '#app/authoring/QuestionKey.tsx';
import { StudentView } from '#app/authoring/question/StudentView.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import type { DrawnQuestion } from './assembly.ts';
import classes from './generate.module.css';

/** A drawn question to be looked at: as a student has it, and its key. */
export function LookSheet({
  looked,
  resolve,
  onClose,
}: {
  looked: { readonly item: DrawnQuestion; readonly number: number } | null;
  resolve: (key: string) => Promise<string>;
  onClose: () => void;
}) {
  return (
    <Sheet
      opened={looked !== null}
      onClose={onClose}
      size="lg"
      title={looked ? `Вопрос ${looked.number}` : ''}
    >
      {looked && (
        <div className={classes.list}>
          <StudentView number={looked.number} question={looked.item.question} resolve={resolve} />
          <h3>Верный ответ</h3>
          <QuestionKey question={looked.item.question} resolve={resolve} />
        </div>
      )}
    </Sheet>
  );
}
