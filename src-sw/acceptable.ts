import { HEADER } from '#contract/headers.ts';

const typeOf = (response: Response) => response.headers.get('content-type') ?? '';

const isOurs = (response: Response, type: string) =>
  response.status === 200 &&
  !response.redirected &&
  typeOf(response).startsWith(type) &&
  response.headers.has(HEADER.requestId);

/**
 * Whether a reply is our server's JSON. A captive portal's page, a redirect or an empty reply is not,
 * whatever its status, and is never cached.
 */
export const isOurJson = (response: Response): boolean => isOurs(response, 'application/json');

/** Whether a reply is a recording of a question; a file that is saved to the disk never has such a type. */
export const isRecording = (response: Response): boolean => isOurs(response, 'audio/');

const ASSET_TYPES: readonly (readonly [extension: RegExp, type: RegExp])[] = [
  [/\.(?:js|mjs)$/, /javascript/],
  [/\.css$/, /^text\/css/],
  [/\.woff2$/, /^(?:font\/|application\/(?:font|octet-stream))/],
  [/\.(?:png|svg|webp)$/, /^image\//],
  [/\.html$/, /^text\/html/],
];

const PAGE_MARK = '<meta name="application-name" content="Учебная платформа"';

/** Whether an HTML reply is the app's page: a proxy's or captive portal's page is HTML too. */
export async function isOurPage(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes(PAGE_MARK);
}

/** Whether a reply is the file of its path: a captive portal answers everything with HTML. */
export function isFileOf(path: string, response: Response): boolean {
  if (response.status !== 200 || response.redirected) return false;
  const known = ASSET_TYPES.find(([extension]) => extension.test(path));
  return known === undefined
    ? !typeOf(response).startsWith('text/html')
    : known[1].test(typeOf(response));
}
