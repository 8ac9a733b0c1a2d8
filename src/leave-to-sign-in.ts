import type { EndReason } from '#app/session/session-store.ts';

interface Router {
  readonly state: { readonly location: { readonly pathname: string; readonly href: string } };
  navigate(to: {
    to: '/login';
    search: { redirect_path?: string };
    replace?: boolean;
  }): Promise<void>;
}

/** The test whose own screen this path is, if it is one. */
export function testOnScreen(pathname: string): string | undefined {
  return /^\/tests\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/**
 * To the sign-in screen when the sign-in has ended, and back later, unless that was the person's wish:
 * then whoever signs in next begins at home. An attempt that goes on here is not taken from the screen.
 */
export async function leaveToSignIn(
  router: Router,
  reason: EndReason,
  holdsTest: (testId: string) => boolean,
): Promise<void> {
  const { pathname, href } = router.state.location;
  const testId = testOnScreen(pathname);
  if (testId !== undefined && holdsTest(testId)) return;
  const isWish = reason === 'logout';
  if (pathname === '/registration') return;
  if (pathname === '/login') {
    // A guard may have been there first, with a way back that nobody wants.
    if (isWish) await router.navigate({ to: '/login', search: {}, replace: true });
    return;
  }
  await router.navigate({ to: '/login', search: isWish ? {} : { redirect_path: href } });
}
