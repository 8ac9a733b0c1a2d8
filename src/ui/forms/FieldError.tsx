import { messageLanguage } from '#app/ui/message-language.ts';
import classes from './fields.module.css';

export interface FieldErrorProps {
  /** For `aria-describedby` of the field. */
  id?: string;
  children?: string | undefined;
}

/** An error outside Mantine's fields, which show theirs by `error` with the same look. */
export function FieldError({ id, children }: FieldErrorProps) {
  if (!children) return null;
  return (
    <p id={id} className={classes.error} lang={messageLanguage(children)}>
      {children}
    </p>
  );
}
