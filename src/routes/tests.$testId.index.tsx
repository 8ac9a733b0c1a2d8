import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { LocalAttempt } from '#app/outbox/types.ts';
import { findPersistedAttempt } from '#app/passing/persisted-attempt.ts';
import { TakingPage } from '#app/passing/TakingPage.tsx';
import type { AppServices } from '#app/services.ts';
import { useSession } from '#app/session/session-context.ts';
import { SignInSheet } from '#app/session/SignInSheet.tsx';
import { PageSpinner } from '#app/ui/PageSpinner.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';

// Needed once everything is on the server: not worth a student's wait at the start.
const ResultPanel = lazy(() =>
  import('#app/results/ResultPanel.tsx').then((module) => ({ default: module.ResultPanel })),
);

// Only where the device's own rows are gone and there is no network.
const PersistedAttemptPage = lazy(() =>
  import('#app/passing/PersistedAttemptPage.tsx').then((module) => ({
    default: module.PersistedAttemptPage,
  })),
);

const CURRENT_ATTEMPT_KEY = 'currentAttemptId';

/** Whose attempt may be open: the signed-in person's, or of him whose sign-in ended during it. */
const ownerOf = ({ session, holder }: AppServices) =>
  session.current()?.user.userId ?? holder.current();

/** Deleted, finished, or gone on with elsewhere until its end: no attempt to open here any more. */
const isOpen = ({ state, gone, takenOver, deadline }: LocalAttempt, now: number) =>
  state !== 'finished' && !gone && !(takenOver && deadline <= now);

/**
 * The taking page stands outside the signed-in routes: an attempt that the device holds goes on
 * without a session.
 */
export const Route = createFileRoute('/tests/$testId/')({
  beforeLoad: async ({ context: { app }, params: { testId }, location, cause }) => {
    const owner = ownerOf(app);
    const attempt = owner === null ? null : await app.device.outbox.attemptByTest(owner, testId);
    const canOpen = attempt !== null && isOpen(attempt, app.device.serverNow());
    // A closed dialog's step back is no new visit: the verdict after the finish stays, and an
    // attempt that ends during this look is not named as current again.
    if (canOpen && cause !== 'stay') app.local.setItem(CURRENT_ATTEMPT_KEY, attempt.attemptId);
    if (canOpen || (attempt !== null && cause === 'stay')) return;
    if (!app.session.current()) {
      throw redirect({ to: '/login', search: { redirect_path: location.href } });
    }
    const { queryClient, device } = app;
    if (attempt === null && findPersistedAttempt(queryClient, testId, device.serverNow())) return;
    throw redirect({ to: '/tests/$testId/overview', params: { testId }, replace: true });
  },
  component: TakingScreen,
});

function TakingScreen() {
  const { testId } = Route.useParams();
  const { app } = Route.useRouteContext();
  const session = useSession();
  const navigate = useNavigate();
  // A sign-in that ends meanwhile must not take the page away: the owner stays who he was.
  const [owner, setOwner] = useState(() => ownerOf(app));
  if (session && session.user.userId !== owner) setOwner(session.user.userId);
  const onAbsent = useCallback(
    () => void navigate({ to: '/tests/$testId/overview', params: { testId }, replace: true }),
    [navigate, testId],
  );
  const onLeave = () => void navigate({ to: '/tests/my' });
  if (owner === null) return null;
  return (
    <TakingPage
      key={`${owner} ${testId}`}
      testId={testId}
      owner={owner}
      signedIn={session !== null}
      local={app.local}
      renderSignIn={(sheet) => <SignInSheet {...sheet} owner={owner} />}
      renderResult={(attemptId) => (
        <Suspense fallback={<RowsSkeleton rows={3} />}>
          <ResultPanel attemptId={attemptId} viewerId={owner} />
        </Suspense>
      )}
      renderAbsent={() => (
        <Suspense fallback={<PageSpinner />}>
          <PersistedAttemptPage testId={testId} onAbsent={onAbsent} onLeave={onLeave} />
        </Suspense>
      )}
      onLeave={onLeave}
    />
  );
}
