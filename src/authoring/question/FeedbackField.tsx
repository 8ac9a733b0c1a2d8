import { LineField } from './LineField.tsx';
import classes from './QuestionForm.module.css';
import { useRichText } from './use-rich-text.tsx';

export interface FeedbackFieldProps {
  /** «Отзыв на вариант 2». */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly resolve: (key: string) => Promise<string>;
}

/** What is told with one answer, once right answers may be seen. */
export function FeedbackField({ label, value, onChange, resolve }: FeedbackFieldProps) {
  const rich = useRichText({ multiline: false });
  return (
    <div className={classes.feedback}>
      <p aria-hidden className={classes.quiet}>
        {label}
      </p>
      <LineField label={label} value={value} onChange={onChange} rich={rich} resolve={resolve} />
    </div>
  );
}
