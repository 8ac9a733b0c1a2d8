import { InlineNote } from '#app/ui/data/InlineNote.tsx';

/** Instead of the result and the receipt while the teacher decides on the begin. */
export const DecisionAwaited = () => (
  <InlineNote role="status">Результат и квитанция будут после решения преподавателя.</InlineNote>
);
