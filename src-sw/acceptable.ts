import { HEADER } from '#contract/headers.ts';

const typeOf = (response: Response) => response.headers.get('content-type') ?? '';

/**
 * Whether a reply is our server's JSON. A portal's page, a redirect or an empty reply is not,
 * whatever its status says, and is never kept.
 */
export function isOurJson(response: Response): boolean {
  return (
    response.status === 200 &&
    !response.redirected &&
    typeOf(response).startsWith('application/json') &&
    response.headers.has(HEADER.requestId)
  );
}

const ASSET_TYPES: readonly (readonly [extension: RegExp, type: RegExp])[] = [
  [/\.(?:js|mjs)$/, /javascript/],
  [/\.css$/, /^text\/css/],
  [/\.woff2$/, /^(?:font\/|application\/(?:font|octet-stream))/],
  [/\.(?:png|svg|webp)$/, /^image\//],
  [/\.html$/, /^text\/html/],
];

const PAGE_MARK = '<meta name="application-name" content="Учебная платформа"';

/** Whether an HTML reply is the app's page: a filter's or a portal's page is HTML too. */
export async function isOurPage(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes(PAGE_MARK);
}

/** Whether a reply is the file its path names: a portal answers everything with a page. */
export function isFileOf(path: string, response: Response): boolean {
  if (response.status !== 200 || response.redirected) return false;
  const known = ASSET_TYPES.find(([extension]) => extension.test(path));
  return known === undefined
    ? !typeOf(response).startsWith('text/html')
    : known[1].test(typeOf(response));
}
