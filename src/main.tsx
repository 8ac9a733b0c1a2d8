import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { ErrorScreen } from '#app/ErrorScreen.tsx';
import { createColourScheme } from '#app/offline/colour-scheme.ts';
import { DeviceContext } from '#app/offline/device-context.ts';
import { leaveToSignIn, testOnScreen } from './leave-to-sign-in.ts';
import { logProblem } from '#app/offline/log.ts';
import { allowOwnScriptsOnly } from '#app/offline/own-scripts.ts';
import { routeTree } from '#app/routeTree.gen.ts';
import { createAppServices, type AppServices } from '#app/services.ts';
import { wireSession } from '#app/session-lifecycle.ts';
import { openLocalStorage } from '#app/session/local-storage.ts';
import { SessionContext } from '#app/session/session-context.ts';
import { StartScreen } from '#app/StartScreen.tsx';
import { TopLevelFallback } from '#app/TopLevelFallback.tsx';
import { AppProvider } from '#app/ui/AppProvider.tsx';
import { ErrorPanel } from '#app/ui/ErrorPanel.tsx';
import { PageSpinner } from '#app/ui/PageSpinner.tsx';

const createAppRouter = (app: AppServices) =>
  createRouter({
    routeTree,
    context: { app },
    scrollRestoration: true,
    defaultPendingComponent: PageSpinner,
    defaultErrorComponent: ErrorScreen,
  });
type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

allowOwnScriptsOnly();
const colourScheme = createColourScheme(openLocalStorage());

const TEST_ID = /^[\da-f-]{36}$/;
async function start(root: Root): Promise<void> {
  root.render(
    <AppProvider colourScheme={colourScheme}>
      <StartScreen />
    </AppProvider>,
  );
  const app = await createAppServices();
  const router = createAppRouter(app);
  const lifecycle = wireSession(app, {
    leave: (reason, holdsTest) => leaveToSignIn(router, reason, holdsTest),
    setUpFactor: () => {
      const testId = testOnScreen(router.state.location.pathname) ?? '';
      // Nobody is taken away from a test: his answers are accepted all the same.
      if (!TEST_ID.test(testId)) void router.navigate({ to: '/profile' });
    },
    othersSignedIn: () => void router.invalidate(),
  });
  await lifecycle.ready;
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
  );
}

const element = document.getElementById('root');
if (element) {
  const root = createRoot(element);
  start(root).catch((cause: unknown) => {
    logProblem('Приложение не открыть', { cause });
    root.render(
      <AppProvider colourScheme={colourScheme}>
        <ErrorPanel
          heading="Что-то пошло не так!"
          message={cause instanceof Error ? cause.message : 'Unexpected error occurred'}
          onRetry={() => window.location.reload()}
        />
      </AppProvider>,
    );
  });
}
