import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { LocalAttempt } from '#app/outbox/types.ts';
import { findPersistedAttempt } from '#app/features/passing/persisted-attempt.ts';
import { TakingPage } from '#app/features/passing/TakingPage.tsx';
import type { AppServices } from '#app/app/services.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { SignInModal } from '#app/features/session/SignInModal.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';

// Lazy: needed only after the finish.
const ResultPanel = lazyPart(
  () => import('#app/features/results/ResultPanel.tsx'),
  (module) => module.ResultPanel,
);

// Lazy: needed only offline with lost rows.
const PersistedAttemptPage = lazyPart(
  () => import('#app/features/passing/PersistedAttemptPage.tsx'),
  (module) => module.PersistedAttemptPage,
);

const CURRENT_ATTEMPT_KEY = 'currentAttemptId';

/** Owner of the open attempt: the signed-in person, or the person who was signed in when the session ended. */
const ownerOf = ({ session, holder }: AppServices) =>
  session.current()?.user.userId ?? holder.current();

/** Whether the attempt can no longer be opened here: deleted, finished, or finished on another device. */
const isOpen = ({ state, gone, takenOver, deadline }: LocalAttempt, now: number) =>
  state !== 'finished' && !gone && !(takenOver && deadline <= now);

/**
 * The taking page is outside of the signed-in routes: an attempt on this device continues without a session.
 */
export const Route = createFileRoute('/tests/$testId/')({
  beforeLoad: async ({ context: { app }, params: { testId }, location, cause }) => {
    const owner = ownerOf(app);
    const attempt = owner === null ? null : await app.device.outbox.attemptByTest(owner, testId);
    const canOpen = attempt !== null && isOpen(attempt, app.device.serverNow());
    // Closing a modal navigates back but is no new visit: the finish screen stays, and an attempt that ends
    // meanwhile does not become current again.
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
  // A session that ends meanwhile must not close the page: the owner stays the same.
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
      renderSignIn={(modal) => <SignInModal {...modal} owner={owner} />}
      renderResult={(attemptId) => (
        <ResultPanel attemptId={attemptId} viewerId={owner} waiting={<RowsSkeleton rows={3} />} />
      )}
      renderAbsent={() => (
        <PersistedAttemptPage
          testId={testId}
          onAbsent={onAbsent}
          onLeave={onLeave}
          waiting={<PageSpinner />}
        />
      )}
      onLeave={onLeave}
    />
  );
}
