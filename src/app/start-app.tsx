import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { UNEXPECTED } from '#app/api/failure.ts';
import { ErrorScreen } from '#app/app/ErrorScreen.tsx';
import { createColourScheme } from '#app/app/colour-scheme.ts';
import { DeviceContext } from '#app/lib/device-services.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { logProblem } from '#app/lib/log.ts';
import type { AppServices, OpenedDevice } from '#app/app/services.ts';
import { sayWhenSlow } from '#app/app/say-when-slow.ts';
import { wireSession } from '#app/app/session-lifecycle.ts';
import { openLocalStorage } from '#app/lib/local-storage.ts';
import { createQueryClient, setOnline } from '#app/app/query-client.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { StartScreen } from '#app/app/StartScreen.tsx';
import { TopLevelFallback } from '#app/app/TopLevelFallback.tsx';
import { placeOfPressed } from '#app/ui/lost-focus.ts';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { AppProvider } from '#app/ui/AppProvider.tsx';
import { dialogEntriesOf } from '#app/ui/overlays/dialog-entries.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { redirectToSignIn, testOnScreen } from './redirect-to-sign-in.ts';
import { routeTree } from '#app/routeTree.gen.ts';

const createAppRouter = (app: AppServices) =>
  createRouter({
    routeTree,
    context: { app },
    scrollRestoration: true,
    defaultPendingComponent: routeTree.options.pendingComponent ?? PageSpinner,
    defaultErrorComponent: ErrorScreen,
    // A screen of another test, class or attempt begins anew.
    defaultRemountDeps: ({ params }) => params,
  });
type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

const colourScheme = createColourScheme(openLocalStorage());

/** The time after which the device's storage counts as slow; until then the page itself shows «Загружаем…». */
const SLOW_MS = 3_000;
const TEST_ID = /^[\da-f-]{36}$/;

/** The app, once the device's storage is open and it is known who is signed in. */
async function openApp(
  opening: Promise<OpenedDevice>,
  watchLoading: (isLoading: () => boolean) => void,
): Promise<{ app: AppServices; router: AppRouter }> {
  setOnline(navigator.onLine);
  const app = { ...(await opening), queryClient: createQueryClient() };
  const router = createAppRouter(app);
  dialogEntriesOf(router);
  // Before its first load the router is idle and has resolved nothing. Leaving a page may also fail its loading.
  watchLoading(
    () =>
      router.state.status === 'pending' ||
      !router.state.resolvedLocation ||
      router.state.matches.some(({ status }) => status === 'error'),
  );
  const lifecycle = wireSession(app, {
    leave: (reason, continuesTest) => redirectToSignIn(router, reason, continuesTest),
    setUpFactor: () => {
      const testId = testOnScreen(router.state.location.pathname) ?? '';
      // Nobody is moved away from a test: the answers are accepted all the same.
      if (!TEST_ID.test(testId)) void router.navigate({ to: '/profile' });
    },
    othersSignedIn: () => void router.invalidate(),
  });
  await lifecycle.ready;
  loadWithFirstPress(router);
  return { app, router };
}

const loadPressesAndFocus = createModuleLoader(() => import('./presses-and-focus.ts'));

/** Neither the press guard nor the focus keeper is needed before the first press of a key or a pointer. */
function loadWithFirstPress(router: AppRouter): void {
  const first = new AbortController();
  let latest: Event;
  const load = (event: Event) => {
    latest = event;
    const { pathname } = router.state.location;
    // The press may remove the pressed element before the module is loaded.
    const pressed = placeOfPressed(event);
    loadPressesAndFocus().then(
      ({ watchPressesAndFocus }) => {
        if (first.signal.aborted) return;
        first.abort();
        watchPressesAndFocus(router, { event, latest, pressed, pathname });
      },
      // The next press tries again.
      () => undefined,
    );
  };
  for (const type of ['pointerdown', 'keydown'])
    window.addEventListener(type, load, { capture: true, signal: first.signal });
}

function renderApp(root: Root, app: AppServices, router: AppRouter): void {
  // A transition is rendered in short pieces, so that taps respond.
  startTransition(() =>
    root.render(
      <StrictMode>
        <AppProvider colourScheme={colourScheme}>
          <TopLevelFallback>
            <SessionContext value={app.session}>
              <DeviceContext value={app.device}>
                <QueryClientProvider client={app.queryClient}>
                  <RouterProvider router={router} />
                </QueryClientProvider>
              </DeviceContext>
            </SessionContext>
          </TopLevelFallback>
        </AppProvider>
      </StrictMode>,
    ),
  );
}

const loadPaintLists = createModuleLoader(() => import('./paint-lists.ts'));

export interface AppStart {
  /** The page's element for the app. */
  element: HTMLElement;
  /** The device's storage and what works on it. */
  opening: Promise<OpenedDevice>;
  /** Takes over the question whether the screen is still loading. */
  watchLoading: (isLoading: () => boolean) => void;
}

/** Renders the app, or why it cannot be opened. */
export function startApp({ element, opening, watchLoading }: AppStart): void {
  const root = createRoot(element);
  const start = async () => {
    const { app, router } = await sayWhenSlow(openApp(opening, watchLoading), SLOW_MS, () =>
      root.render(<StartScreen colourScheme={colourScheme} />),
    );
    renderApp(root, app, router);
    // Once the worker has the whole app: a first visit has better use for its line. Else the next start shows the shell.
    navigator.serviceWorker?.ready.then(loadPaintLists).then(
      ({ paintLists }) => paintLists(element, app.device, app.session, router),
      () => undefined,
    );
  };
  start().catch((cause: unknown) => {
    logProblem('Приложение не открыть', { cause });
    root.render(
      <AppProvider colourScheme={colourScheme}>
        <ErrorPanel
          heading="Что-то пошло не так!"
          message={cause instanceof Error ? cause.message : UNEXPECTED}
          onRetry={() => window.location.reload()}
        />
      </AppProvider>,
    );
  });
}
