import { Link, useRouteContext } from '@tanstack/react-router';
import { ResumeBanner } from '#app/offline/ResumeBanner.tsx';

/** Link back to a running attempt after the session expired, since its time runs on. */
export function AttemptGuard() {
  const { app } = useRouteContext({ from: '__root__' });
  const owner = app.holder.current();
  if (owner === null) return null;
  return (
    <ResumeBanner
      owner={owner}
      renderContinue={(testId) => (
        <Link to="/tests/$testId" params={{ testId }}>
          Продолжить
        </Link>
      )}
    />
  );
}
