import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { TakingPage } from '#app/passing/TakingPage.tsx';
import { ResultPanel } from '#app/results/ResultPanel.tsx';
import type { AppServices } from '#app/services.ts';
import { useSession } from '#app/session/session-context.ts';
import { SignInSheet } from '#app/session/SignInSheet.tsx';

const CURRENT_ATTEMPT_KEY = 'currentAttemptId';

/** Whose attempt may be open: the signed-in person's, or of him whose sign-in ended during it. */
const ownerOf = ({ session, holder }: AppServices) =>
  session.current()?.user.userId ?? holder.current();

/**
 * The taking page stands outside the signed-in routes: an attempt that the device holds goes on
 * without a session.
 */
export const Route = createFileRoute('/tests/$testId/')({
  beforeLoad: async ({ context: { app }, params: { testId }, location }) => {
    const owner = ownerOf(app);
    const attempt = owner === null ? null : await app.device.outbox.attemptByTest(owner, testId);
    const isOpen = attempt !== null && attempt.state !== 'finished';
    if (isOpen) {
      app.local.setItem(CURRENT_ATTEMPT_KEY, attempt.attemptId);
      return;
    }
    if (!app.session.current()) {
      throw redirect({ to: '/login', search: { redirect_path: location.href } });
    }
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
  if (owner === null) return null;
  return (
    <TakingPage
      key={`${owner} ${testId}`}
      testId={testId}
      owner={owner}
      signedIn={session !== null}
      renderSignIn={(sheet) => <SignInSheet {...sheet} owner={owner} />}
      renderResult={(attemptId) => <ResultPanel attemptId={attemptId} viewerId={owner} />}
      onAbsent={(where) =>
        void (where === 'tests'
          ? navigate({ to: '/tests', replace: true })
          : navigate({ to: '/tests/$testId/overview', params: { testId }, replace: true }))
      }
      onLeave={() => void navigate({ to: '/tests/my' })}
    />
  );
}
