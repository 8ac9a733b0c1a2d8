import * as v from 'valibot';
import { formatRemaining } from '#domain/format-time.ts';
import { PAINTED_ID, PaintedPage, paintedCache, stampOf } from '#app/offline/painted-page.ts';
import { readMirror } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';

const TAKING = /^\/tests\/([\da-f-]{36})$/;
/** A clock that is further behind a value already seen was set back: the time left is unknown. */
const SET_BACK_MS = 2_000;

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
  if (clock.lastWall - now > SET_BACK_MS) return null;
  const remaining = attempt.deadline - (now + (clock.offset ?? 0));
  return remaining > 0 ? remaining : null;
}

/** The shell with the painted page in it; the app's root is hidden until the app takes over. */
function joinShell(
  shell: string,
  { title, styles, rules, fonts, body }: PaintedPage,
  remaining: number,
): string {
  const links = styles
    .filter((href) => !shell.includes(`"${href}"`))
    .map((href) => `<link rel="stylesheet" href="${href}" />`)
    .join('');
  const preloads = fonts
    .map((href) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}" />`)
    .join('');
  const withTime = body.replace(
    /(\sdata-remaining\b[^>]*>)[^<]*/,
    (_, tag: string) => tag + formatRemaining(remaining),
  );
  return shell
    .replace(
      /<title>[^<]*<\/title>/,
      () => `<title>${escape(title)}</title>${preloads}${links}<style>${rules}</style>`,
    )
    .replace(
      '<div id="root">',
      () =>
        `<div id="${PAINTED_ID}">${withTime}</div><script src="/painted.js"></script><div id="root" hidden>`,
    );
}

/**
 * The page for a navigation with the question that this device last showed there, or null: the shell alone is right. Only
 * for the signed-in user, whose session is not over, and only while nothing that the page shows has changed.
 */
export async function paintedPage(
  path: string,
  shell: string,
  environment: PaintEnvironment,
): Promise<string | null> {
  const testId = TAKING.exec(path)?.[1];
  if (testId === undefined) return null;
  const mirror = await readMirror(environment.storage);
  if (!mirror || Date.parse(mirror.expiresAt) <= environment.now) return null;
  const cached = await caches.match(path, { cacheName: paintedCache(mirror.owner) });
  if (!cached) return null;
  const parsed = v.safeParse(PaintedPage, await cached.json());
  if (!parsed.success || !shell.includes(`"${parsed.output.app}"`)) return null;
  const remaining = await readRemaining(environment, mirror.owner, testId, parsed.output.stamp);
  return remaining === null ? null : joinShell(shell, parsed.output, remaining);
}
