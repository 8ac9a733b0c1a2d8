import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SignedIn } from '#contract/auth.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { signIn } from '#app/session/sign-in.ts';
import { useSessionStore } from '#app/session/session-context.ts';

/** What follows a sign-in: the session, then the page that was asked for, else the home page. */
export function useSignedIn(redirectPath: string | undefined) {
  const session = useSessionStore();
  const { outbox } = useDevice();
  const router = useRouter();
  return useCallback(
    async (signedIn: SignedIn) => {
      await signIn({ session, outbox }, signedIn);
      // Nothing else is open to them before that.
      const isDue = signedIn.mustSetUpFactor === true;
      router.history.replace(isDue ? '/profile' : (redirectPath ?? '/'));
    },
    [session, outbox, router, redirectPath],
  );
}
