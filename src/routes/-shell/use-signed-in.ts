import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SignedIn } from '#contract/auth.ts';
import { useSessionStore } from '#app/session/session-context.ts';

/** What follows a sign-in: the session, then the page that was asked for, else the home page. */
export function useSignedIn(redirectPath: string | undefined) {
  const session = useSessionStore();
  const router = useRouter();
  return useCallback(
    (signedIn: SignedIn) => {
      session.signIn(signedIn);
      router.history.replace(redirectPath ?? '/');
    },
    [session, router, redirectPath],
  );
}
