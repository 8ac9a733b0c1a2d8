import { expect, test } from 'vitest';
import type { EndReason } from '#app/session/session-store.ts';
import { leaveToSignIn } from './leave-to-sign-in.ts';

const TEST = '/tests/01900000-0000-7000-8000-00000000000a';

/** Where one gets to from a page, and whether «назад» leads back to it. */
async function leaving(from: string, reason: EndReason, held: string[] = []) {
  let href = from;
  let isReplaced: boolean | undefined;
  const router = {
    state: {
      get location() {
        return { href, pathname: new URL(href, 'http://school').pathname };
      },
    },
    navigate: async ({
      to,
      search,
      replace = false,
    }: {
      to: string;
      search: { redirect_path?: string };
      replace?: boolean;
    }) => {
      href = search.redirect_path ? `${to}?redirect_path=${search.redirect_path}` : to;
      isReplaced = replace;
    },
  };
  await leaveToSignIn(router, reason, (testId) => held.includes(`/tests/${testId}`));
  return { href, isReplaced };
}

test('a sign-in that ended by itself leads to the sign-in screen and back', async () => {
  expect(await leaving('/tests?page=2', 'expired')).toEqual({
    href: '/login?redirect_path=/tests?page=2',
    isReplaced: false,
  });
});

test('after a sign-out by wish the next person is not led to the page of the one before', async () => {
  expect(await leaving('/profile', 'logout')).toEqual({ href: '/login', isReplaced: false });
});

test('neither is he where a guard led to the sign-in screen first', async () => {
  expect(await leaving('/login?redirect_path=/profile', 'logout')).toEqual({
    href: '/login',
    isReplaced: true,
  });
  expect(await leaving('/login?redirect_path=/profile', 'expired')).toEqual({
    href: '/login?redirect_path=/profile',
    isReplaced: undefined,
  });
});

test('an attempt that goes on here stays on the screen', async () => {
  expect(await leaving(TEST, 'expired', [TEST])).toEqual({ href: TEST, isReplaced: undefined });
  expect(await leaving(TEST, 'expired')).toMatchObject({ href: `/login?redirect_path=${TEST}` });
});
