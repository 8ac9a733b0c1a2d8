import { Outlet, createRootRouteWithContext } from '@tanstack/react-router';
import { ErrorScreen } from '#app/app/ErrorScreen.tsx';
import type { AppServices } from '#app/app/services.ts';
import { ShortcutsProvider } from '#app/lib/ShortcutsProvider.tsx';
import { NotFound } from './-shell/NotFound.tsx';
import { PendingScreen } from './-shell/PendingScreen.tsx';

export interface RouterContext {
  app: AppServices;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Screen,
  // Also the default of every other route.
  pendingComponent: PendingScreen,
  errorComponent: ErrorScreen,
  notFoundComponent: NotFound,
});

function Screen() {
  return (
    <ShortcutsProvider>
      <Outlet />
    </ShortcutsProvider>
  );
}
