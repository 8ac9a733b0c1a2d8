import * as v from 'valibot';
import type { AttemptRow } from '#app/storage/rows.ts';

/**
 * The question last shown by the taking page, as HTML. The worker answers a navigation with it, so that the question can
 * be read before the script runs (ADR 14).
 */
export const PaintedPage = v.object({
  /** Address of the app's script: another build has other styles. */
  app: v.string(),
  /** `stampOf` the attempt when it was painted. */
  stamp: v.string(),
  title: v.string(),
  /** Addresses of the stylesheets on the page. */
  styles: v.array(v.pipe(v.string(), v.regex(/^\/assets\/[\w.-]+\.css$/))),
  /** Rules that components have written into the head. */
  rules: v.pipe(v.string(), v.regex(/^[^<]*$/)),
  /** Addresses of fonts: one that came after the first frame would move the text. */
  fonts: v.array(v.pipe(v.string(), v.regex(/^\/assets\/[\w.-]+\.woff2$/))),
  /** Sanitised; the time left is text after the attribute `data-remaining`. */
  body: v.string(),
});
export type PaintedPage = v.InferOutput<typeof PaintedPage>;

/** Larger pages are not painted: to store them would cost more than they save. */
export const MAX_PAINTED = 300_000;

/** Element of the painted page; it stands before the app's root until the app has the same question. */
export const PAINTED_ID = 'painted';

export const PAINTED_CACHE = 'painted-1';

/** Cache of one user's painted pages, keyed by the path of the page. */
export const paintedCache = (owner: string) => `${PAINTED_CACHE}:${owner}`;

/** What a painted page depends on: once any of it has changed, the page is not used. */
export const stampOf = (attempt: AttemptRow): string =>
  JSON.stringify([
    attempt.attemptId,
    attempt.stream,
    attempt.streams.find(({ stream }) => stream === attempt.stream)?.nextSequence,
    attempt.state,
    attempt.takenOver,
    attempt.gone,
    attempt.deadline,
    attempt.lastQuestionId,
    attempt.marks,
  ]);
