import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import serveFolder from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { pathOf, refuseUnknown } from './register-routes.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';
const A_DAY = 'public, max-age=86400';

/** Path prefixes under which a missing file never gets the app's page. */
const NO_PAGE = /^\/(api|assets|icons)(\/|$)|\.[a-z0-9]{1,12}$/i;

function cacheControlOf(path: string): string {
  if (path.startsWith('assets/')) return FOR_EVER;
  if (path.startsWith('icons/')) return A_DAY;
  return ASK_AGAIN;
}

/** Replaces URLs that cannot be served as received. */
const UNKNOWN_PAGE = '/unreadable';
const UNKNOWN_FILE = '/assets/unreadable';

/**
 * The URL that is served for a request. A screen's URL with broken percent-encoding or NUL becomes an unknown URL, for
 * which the app shows its own «not found». A path that climbs out of its folder becomes an unknown file.
 */
export function readableUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  const unknown = NO_PAGE.test(path) ? url : UNKNOWN_PAGE;
  try {
    const decoded = decodeURIComponent(path);
    if (decoded.split(/[/\\]/).includes('..')) return UNKNOWN_FILE;
    return decoded.includes('\0') ? unknown : url;
  } catch {
    return unknown;
  }
}

const wantsPage = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !NO_PAGE.test(pathOf(request)) &&
  /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');

/** Serves the built app; without a build, the API alone. URLs of screens get the app's page. */
export async function servePages(app: FastifyInstance, deps: Deps): Promise<void> {
  const { clientDir } = deps.settings;
  const unknown = refuseUnknown(app, deps);
  if (clientDir === null || !existsSync(join(clientDir, 'index.html'))) {
    app.setNotFoundHandler(unknown);
    return;
  }
  await app.register(serveFolder, {
    root: clientDir,
    cacheControl: false,
    preCompressed: true,
    // Its own route reads the whole folder at each request, to compare the spelling with a list of allowed paths.
    serve: false,
    setHeaders(response, path) {
      const name = relative(clientDir, path).split(sep).join('/');
      response.header('cache-control', cacheControlOf(name));
    },
  });
  app.get<{ Params: { '*': string } }>('/*', { schema: { hide: true } }, (request, reply) => {
    // Not returned: Fastify would wait for the reply again at each compressed variant that is tried.
    reply.sendFile(`/${request.params['*']}`);
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (wantsPage(request)) return reply.sendFile('index.html');
    if (pathOf(request).startsWith('/api')) return unknown(request, reply);
    return reply
      .code(404)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send('Не найдено\n');
  });
}
