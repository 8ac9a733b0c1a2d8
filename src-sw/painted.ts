import * as v from 'valibot';
import { ROLE } from '#contract/auth.ts';
import { formatRemaining } from '#domain/format-time.ts';
import {
  addressOf,
  isList,
  PAINTED_ID,
  PaintedPage,
  paintedCache,
  stampOf,
} from '#app/offline/painted-page.ts';
import { seeWall } from '#app/outbox/clock.ts';
import { readMirror } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';

const HOUR_MS = 3_600_000;
/** An older list would mislead, even for a second. */
const MAX_LIST_AGE_MS = 12 * HOUR_MS;
const TAKING = /^\/tests\/([\da-f-]{36})$/;

export interface PaintEnvironment {
  storage: Storage;
  /** The device's clock, milliseconds. */
  now: number;
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Milliseconds left of the attempt that the painted page shows; null: it shows another state. */
async function readRemaining(
  { storage, now }: PaintEnvironment,
  owner: string,
  testId: string,
  stamp: string,
): Promise<number | null> {
  const { attempts, clock } = await storage.read(['attempts', 'device'], async (tx) => ({
    attempts: await tx.all('attempts'),
    clock: await tx.get('device', 'clock'),
  }));
  const attempt = attempts.find(
    (one) => one.owner === owner && one.testId === testId && stampOf(one) === stamp,
  );
  if (!attempt || attempt.state !== 'running' || clock?.kind !== 'clock') return null;
  // The clock was set back: the time left is unknown.
  if (seeWall(clock, now).era !== clock.era) return null;
  const remaining = attempt.deadline - (now + (clock.offset ?? 0));
  return remaining > 0 ? remaining : null;
}

/** The shell with the painted page in it; the app's root is hidden until the app takes over. */
function joinShell(
  shell: string,
  { title, styles, rules, fonts, body }: PaintedPage,
  remaining: number | null,
): string {
  // They follow the shell's own, as on the page: the first sheet sets the order of the layers.
  const links = styles
    .filter((href) => !shell.includes(`"${href}"`))
    .map((href) => `<link rel="stylesheet" href="${href}" />`)
    .join('');
  const preloads = fonts
    .map((href) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}" />`)
    .join('');
  const withTime = body.replace(/(\sdata-remaining\b[^>]*>)[^<]*/, (whole, tag: string) =>
    remaining === null ? whole : tag + formatRemaining(remaining),
  );
  return shell
    .replace(
      /<title>[^<]*<\/title>/,
      () => `<title>${escape(title)}</title>${preloads}<style>${rules}</style>`,
    )
    .replace('</head>', () => `${links}</head>`)
    .replace(
      '<div id="root">',
      () =>
        `<div id="${PAINTED_ID}">${withTime}</div><script src="/painted.js"></script><div id="root" hidden>`,
    );
}

/**
 * The page for a navigation with what this device last showed there, or null: the shell alone is right. Only for the
 * signed-in user, whose session is not over. A question is shown only while nothing on its page has changed, a list only
 * to a student and for some hours.
 */
export async function paintedPage(
  url: URL,
  shell: string,
  environment: PaintEnvironment,
): Promise<string | null> {
  const testId = TAKING.exec(url.pathname)?.[1];
  if (testId === undefined && !isList(url.pathname)) return null;
  const { storage, now } = environment;
  const mirror = await readMirror(storage);
  if (!mirror || Date.parse(mirror.expiresAt) <= now) return null;
  const { owner, user } = mirror;
  const cached = await caches.match(addressOf(url), { cacheName: paintedCache(owner) });
  if (!cached) return null;
  const parsed = v.safeParse(PaintedPage, await cached.json());
  if (!parsed.success || !shell.includes(`"${parsed.output.app}"`)) return null;
  const { stamp, paintedAt } = parsed.output;
  if (testId === undefined) {
    const isFresh = Math.abs(now - paintedAt) <= MAX_LIST_AGE_MS;
    return isFresh && user.role === ROLE.student ? joinShell(shell, parsed.output, null) : null;
  }
  const remaining = stamp === null ? null : await readRemaining(environment, owner, testId, stamp);
  return remaining === null ? null : joinShell(shell, parsed.output, remaining);
}
