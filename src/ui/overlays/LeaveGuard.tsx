import { useBlocker } from '@tanstack/react-router';
import { GuardDialog } from './GuardDialog.tsx';

export interface LeaveGuardProps {
  isDirty: boolean;
  /** What is not saved yet and would be lost. */
  message: string;
  /** A question; by default one about saving. */
  title?: string;
  leave?: string;
  /** Called before a redirect to sign-in that leads back here: the last moment to store unsaved input. */
  onSignedOut?: () => void;
}

/** Asks before a person leaves unsaved changes. For a closed tab the browser shows its own question. */
export function LeaveGuard({
  isDirty,
  message,
  title = 'Уйти без сохранения?',
  leave = 'Уйти без сохранения',
  onSignedOut,
}: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      // A dialog of this page has a history entry too, and does not leave the page.
      if (!isDirty || next.pathname === current.pathname) return false;
      // An ended session is never blocked: its pages must not stay on the screen.
      if (next.pathname !== '/login') return true;
      // After a deliberate sign-out nobody returns here, so nothing is stored.
      if ('redirect_path' in next.search && next.search.redirect_path) onSignedOut?.();
      return false;
    },
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <GuardDialog
      title={title}
      message={message}
      stay="Остаться"
      leave={leave}
      onStay={blocker.reset}
      onLeave={blocker.proceed}
    />
  );
}
