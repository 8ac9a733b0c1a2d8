import { Loader, VisuallyHidden } from '@mantine/core';
import classes from './PageSpinner.module.css';

/** A spinner in the middle of a whole page. */
export function PageSpinner({ label = 'Загружаем' }: { label?: string }) {
  return (
    <output className={classes.page}>
      <Loader size="lg" aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </output>
  );
}
