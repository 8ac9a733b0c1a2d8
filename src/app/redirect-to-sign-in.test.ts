import { isRedirect } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { Route as GuardedRoute } from '#app/routes/_signed.tsx';
import type { EndReason } from '#app/lib/session/session-store.ts';
import { redirectToSignIn } from './redirect-to-sign-in.ts';

const TEST = '/tests/01900000-0000-7000-8000-00000000000a';

/** The location after a redirect from a page. */
async function leaving(from: string, reason: EndReason, continuing: string[] = []) {
  let href = from;
  const router = {
    state: {
      get location() {
        return { href, pathname: new URL(href, 'http://school').pathname };
      },
    },
    navigate: async ({ to, search }: { to: string; search: { redirect_path?: string } }) => {
      href = search.redirect_path ? `${to}?redirect_path=${search.redirect_path}` : to;
    },
  };
  await redirectToSignIn(router, reason, (testId) => continuing.includes(`/tests/${testId}`));
  return href;
}

test('an expired session redirects to the sign-in screen and back afterwards', async () => {
  expect(await leaving('/tests?page=2', 'expired')).toBe('/login?redirect_path=/tests?page=2');
});

test('after a manual sign-out the next person is not redirected to the previous person’s page', async () => {
  expect(await leaving('/profile', 'logout')).toBe('/login');
});

test('a continuing attempt stays on the screen', async () => {
  expect(await leaving(TEST, 'expired', [TEST])).toBe(TEST);
  expect(await leaving(TEST, 'expired')).toBe(`/login?redirect_path=${TEST}`);
});

/** The redirect thrown by the guard of the pages that need a session. */
async function guarded(reason: EndReason | null) {
  const session = { current: () => null, endReason: () => reason };
  const location = { href: '/tests/my' };
  try {
    await GuardedRoute.options.beforeLoad?.({ context: { app: { session } }, location } as never);
  } catch (thrown) {
    if (isRedirect(thrown)) return thrown.options;
    throw thrown;
  }
  throw new Error('The guard let somebody in who is not signed in');
}

test('after a manual sign-out a late guard sets no redirect path either', async () => {
  expect(await guarded('logout')).toMatchObject({ to: '/login' });
  expect((await guarded('logout')).search).toStrictEqual({});
  expect((await guarded('unauthorized')).search).toEqual({ redirect_path: '/tests/my' });
  expect((await guarded(null)).search).toEqual({ redirect_path: '/tests/my' });
});
