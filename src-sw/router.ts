import { registerRoute } from 'workbox-routing';
import type { Storage } from '#app/storage/storage.ts';
import { content, isContent } from './content.ts';
import { oldAsset } from './old-assets.ts';
import { isPicture, picture } from './pictures.ts';

interface RouteContext {
  request: Request;
  event: ExtendableEvent;
}

/** Routes of the worker besides the shell, in order; everything else goes to the network. */
export function registerRoutes(opened: Promise<Storage>, apiOrigin: string): void {
  const extend = (event: ExtendableEvent) => (work: Promise<unknown>) => event.waitUntil(work);
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
    ({ request }: RouteContext) => oldAsset(request),
  );
  registerRoute(
    ({ url }) => url.origin === apiOrigin && isContent(url),
    async ({ request, event }: RouteContext) => content(request, await opened, extend(event)),
  );
  registerRoute(
    ({ url }) => url.origin === apiOrigin && isPicture(url.pathname),
    async ({ request, event }: RouteContext) => picture(request, await opened, extend(event)),
  );
}
