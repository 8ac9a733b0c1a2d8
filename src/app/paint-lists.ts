import type { RouterState } from '@tanstack/react-router';
import { ROLE } from '#contract/auth.ts';
import type { DeviceServices } from '#app/lib/device-services.ts';
import type { SessionStore } from '#app/lib/session/session-store.ts';
import { logProblem } from '#app/lib/log.ts';
import { paintPage } from '#app/offline/paint-page.ts';
import { isList } from '#app/offline/painted-page.ts';

/** A list that is still being filled or filtered is not painted. */
const SETTLED_MS = 1_000;

type Shown = Pick<RouterState, 'status' | 'resolvedLocation'>;

/** A page has its new address before its new content. */
const isShown = ({ status, resolvedLocation }: Shown): boolean =>
  status === 'idle' && resolvedLocation?.pathname === location.pathname;

/** Stores a student's lists and overviews for the next start, each time they have changed and settled (ADR 14). */
export function paintLists(
  root: Element,
  { storage }: Pick<DeviceServices, 'storage'>,
  session: SessionStore,
  router: { readonly state: Shown },
): void {
  if (!('caches' in window)) return;
  let timer: number | undefined;
  const paintLater = () => {
    const owner = session.current()?.user.userId;
    timer ??= window.setTimeout(() => paint(owner), SETTLED_MS);
  };
  const paint = (owner: string | undefined) => {
    timer = undefined;
    const user = session.current()?.user;
    if (user?.role !== ROLE.student || !isList(location.pathname)) return;
    // Somebody else signed in meanwhile, or the page is not there yet.
    if (user.userId !== owner || !isShown(router.state)) {
      paintLater();
      return;
    }
    paintPage(root, storage, user.userId, null).catch((cause: unknown) =>
      logProblem('Страницу не сохранить для следующего запуска', { cause }),
    );
  };
  new MutationObserver(paintLater).observe(root, {
    childList: true,
    subtree: true,
    characterData: true,
  });
  // The list may have come before this file, and may not change any more.
  paintLater();
}
