import { Outlet, createRootRouteWithContext } from '@tanstack/react-router';
import { ErrorScreen } from '#app/app/ErrorScreen.tsx';
import type { AppServices } from '#app/app/services.ts';
import { ShortcutsProvider } from '#app/lib/ShortcutsProvider.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { PendingScreen } from './-shell/PendingScreen.tsx';

// Every start would load it.
const NotFound = lazyPart(
  () => import('./-shell/NotFound.tsx'),
  (module) => module.NotFound,
);

export interface RouterContext {
  app: AppServices;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Screen,
  // Also the default of every other route.
  pendingComponent: PendingScreen,
  errorComponent: ErrorScreen,
  notFoundComponent: () => <NotFound waiting={<PageSpinner />} />,
});

function Screen() {
  return (
    <ShortcutsProvider>
      <Outlet />
    </ShortcutsProvider>
  );
}
