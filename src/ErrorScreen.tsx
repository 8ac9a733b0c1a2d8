import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiFailure } from '#app/api/failure.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { ErrorPanel } from '#app/ui/ErrorPanel.tsx';
import classes from './screens.module.css';

/**
 * A screen that cannot be shown. A failed call is the generic error, «Ошибка»; anything else is
 * the top-level fallback with the texts that the specification fixes.
 */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const isCall = error instanceof ApiFailure;
  return (
    <main className={classes.page}>
      <ErrorPanel
        {...(isCall ? {} : { heading: 'Что-то пошло не так!' })}
        message={failureWords(error)}
        onRetry={retry}
        requestId={isCall ? error.requestId : undefined}
      />
    </main>
  );
}
