import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import type { PrecacheEntry } from 'workbox-precaching';
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

/**
 * The shell, complete or not at all: if a captive portal's page replaces a file, the installation fails, and the
 * browser retries later. Outdated files are deleted only at activation.
 */
export function registerShell(manifest: (PrecacheEntry | string)[]): void {
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
  registerRoute(new NavigationRoute(createHandlerBoundToURL(SHELL), { denylist: NOT_SCREENS }));
}
