import { Link, useRouteContext } from '@tanstack/react-router';
import { ResumeBanner } from '#app/offline/ResumeBanner.tsx';

/** The way back to a test that goes on though the sign-in ended by itself: time does not wait. */
export function HeldTest() {
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
