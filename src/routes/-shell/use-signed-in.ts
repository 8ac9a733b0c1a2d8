import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SignedIn } from '#contract/auth.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { signIn } from '#app/features/session/sign-in.ts';
import { useSessionStore } from '#app/lib/session/session-context.ts';

/** After a sign-in: starts the session, then opens the requested page or the home page. */
export function useSignedIn(redirectPath: string | undefined) {
  const session = useSessionStore();
  const { outbox } = useDevice();
  const router = useRouter();
  return useCallback(
    async (signedIn: SignedIn) => {
      await signIn({ session, outbox }, signedIn);
      // Other pages are not accessible before that.
      const isDue = signedIn.mustSetUpFactor === true;
      router.history.replace(isDue ? '/profile' : (redirectPath ?? '/'));
    },
    [session, outbox, router, redirectPath],
  );
}
