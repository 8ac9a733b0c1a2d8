import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import classes from './screens.module.css';

/**
 * Error component of a route. A failed call shows the generic error, «Ошибка»; anything else the top-level
 * fallback with the texts fixed by the specification.
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
        message={describeFailure(error)}
        onRetry={retry}
        requestId={isCall ? error.requestId : undefined}
      />
    </main>
  );
}
