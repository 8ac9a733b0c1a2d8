import { useLocation } from '@tanstack/react-router';
import { useSession } from '#app/lib/session/session-context.ts';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';

// Sign-in and the taking page have a size budget, and so no shell.
const PendingShell = lazyPart(
  () => import('./PendingShell.tsx'),
  (module) => module.PendingShell,
);

const UNFRAMED = /^\/(?:login|registration|tests\/[\da-f-]{36})\/?$/;

/** While the code of a page loads: a spinner, within the shell where the page has one. */
export function PendingScreen() {
  const isUnframed = useLocation({ select: ({ pathname }) => UNFRAMED.test(pathname) });
  const isSignedIn = useSession() !== null;
  return isSignedIn && !isUnframed ? <PendingShell waiting={<PageSpinner />} /> : <PageSpinner />;
}
