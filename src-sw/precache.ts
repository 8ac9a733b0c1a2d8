import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  matchPrecache,
  precacheAndRoute,
} from 'workbox-precaching';
import type { PrecacheEntry } from 'workbox-precaching';
import type { RouteHandlerCallbackOptions } from 'workbox-core';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { isFileOf, isOurPage } from './acceptable.ts';

const SHELL = '/index.html';

/** Paths of the server, never screens of the app. */
const NOT_SCREENS = [
  /^\/api\//,
  /^\/healthz$/,
  /^\/readyz$/,
  /^\/metrics$/,
  /^\/sw\.js$/,
  /^\/assets\//,
];

async function isValidShellFile(path: string, response: Response): Promise<boolean> {
  if (!isFileOf(path, response)) return false;
  return path === SHELL ? isOurPage(response) : true;
}

/** A page for the address with more in it than the shell, or null. */
export type PagePainter = (url: URL, shell: string) => Promise<string | null>;

/** A storage that does not respond must not delay the page. */
const PAINT_TIMEOUT_MS = 500;

/** The painted page with the headers of the shell; null: the shell is the page. A failure never costs more than that. */
async function paintedResponse(
  { url }: RouteHandlerCallbackOptions,
  paint: PagePainter,
): Promise<Response | null> {
  const painted = async () => {
    const shell = await matchPrecache(SHELL);
    const page = shell && (await paint(url, await shell.text()));
    return page ? new Response(page, { headers: shell.headers }) : null;
  };
  const timeout = new Promise<null>((resolve) => {
    setTimeout(resolve, PAINT_TIMEOUT_MS, null);
  });
  return Promise.race([painted().catch(() => null), timeout]);
}

/**
 * The shell, complete or not at all: if a captive portal's page replaces a file, the installation fails, and the
 * browser retries later. Outdated files are deleted only at activation.
 */
export function registerShell(manifest: (PrecacheEntry | string)[], paint: PagePainter): void {
  // The development build has no manifest and therefore no shell.
  if (manifest.length === 0) return;
  addPlugins([
    {
      cacheWillUpdate: async ({ request, response }) =>
        (await isValidShellFile(new URL(request.url).pathname, response)) ? response : null,
    },
  ]);
  cleanupOutdatedCaches();
  precacheAndRoute(manifest);
  const shellAlone = createHandlerBoundToURL(SHELL);
  registerRoute(
    new NavigationRoute(
      async (navigation) =>
        (await paintedResponse(navigation, paint)) ?? (await shellAlone(navigation)),
      { denylist: NOT_SCREENS },
    ),
  );
}
