import type { EndReason } from '#app/lib/session/session-store.ts';

interface Router {
  readonly state: { readonly location: { readonly pathname: string; readonly href: string } };
  navigate(to: { to: '/login'; search: { redirect_path?: string } }): Promise<void>;
}

/** The id of the test on the screen of this path, if any. */
export function testOnScreen(pathname: string): string | undefined {
  return /^\/tests\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/**
 * Search of the sign-in screen: a redirect to the left page, except after a manual sign-out, when the next
 * person starts at the home page. Both a guard and `redirectToSignIn` may run first.
 */
export function redirectSearch(reason: EndReason | null, href: string): { redirect_path?: string } {
  return reason === 'logout' ? {} : { redirect_path: href };
}

/** Navigates to the sign-in screen when the session has ended. A continuing attempt stays on the screen. */
export async function redirectToSignIn(
  router: Router,
  reason: EndReason,
  continuesTest: (testId: string) => boolean,
): Promise<void> {
  const { pathname, href } = router.state.location;
  const testId = testOnScreen(pathname);
  if (testId !== undefined && continuesTest(testId)) return;
  if (pathname === '/registration' || pathname === '/login') return;
  await router.navigate({ to: '/login', search: redirectSearch(reason, href) });
}
