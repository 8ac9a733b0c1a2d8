import * as v from 'valibot';
import type { AttemptRow } from '#app/storage/rows.ts';

/**
 * What a student's screen showed last, as HTML: the question of an attempt, a list or an overview. The worker answers a
 * navigation with it, so that it can be read before the script runs (ADR 14).
 */
export const PaintedPage = v.object({
  /** Address of the app's script: another build has other styles. */
  app: v.string(),
  /** `stampOf` the attempt when it was painted; null: no attempt is on the page. */
  stamp: v.nullable(v.string()),
  /** By the device's clock, milliseconds. */
  paintedAt: v.number(),
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

/** An attempt is one page, whatever dialog its address names; the address of a list has its filters. */
export const addressOf = ({ pathname, search }: { pathname: string; search: string }): string =>
  isList(pathname) ? pathname + search : pathname;

/** The tests to take, and the overview of one. */
export const isList = (address: string): boolean =>
  /^\/tests(?:\/my|\/[\da-f-]{36}\/overview)?(?:\?|$)/.test(address);

export const PAINTED_CACHE = 'painted-1';

/** Cache of one user's painted pages, keyed by `addressOf` the page. */
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
