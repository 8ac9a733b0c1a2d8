import { createModuleLoader } from '#app/lazy/module-loader.ts';
import type { Answer } from '#contract/answers.ts';
import type { Core } from './core.ts';
import { isSame, parseTyped, type Typed } from './typed-note.ts';
import { positionOf } from './write.ts';

/**
 * Typed answers that the database may not have yet. A page cannot finish a transaction while a person leaves it, so
 * each key writes the answer synchronously into `texts`. The next page that starts writes it as an operation of the
 * moment at which it was typed.
 */

const PREFIX = 'typed:';

/** The attempt of the typed answer. */
export interface TypingAttempt {
  readonly owner: string;
  readonly attemptId: string;
  readonly stream: string;
}

const keyOf = (attemptId: string, { questionId }: Answer): string =>
  `${PREFIX}${attemptId}:${questionId}`;

/** Storage that is full or forbidden changes nothing: the database has the text within a second. */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** Notes an answer as typed so far. Synchronous. */
export function noteTyped(core: Core, { owner, attemptId, stream }: TypingAttempt, answer: Answer) {
  const typed: Typed = { owner, attemptId, stream, answer, ...positionOf(core) };
  attempt(
    () => core.env.texts?.setItem(keyOf(attemptId, answer), JSON.stringify(typed)),
    undefined,
  );
}

/** Forgets a typed answer that the device has stored. */
export function forgetTyped(core: Core, attemptId: string, answer: Answer): void {
  const { texts } = core.env;
  const key = keyOf(attemptId, answer);
  attempt(() => {
    const typed = parseTyped(texts?.getItem(key) ?? '');
    if (typed && isSame(typed.answer, answer)) texts?.removeItem(key);
  }, undefined);
}

function listTyped(core: Core): { key: string; text: string }[] {
  const { texts } = core.env;
  if (!texts) return [];
  return attempt(() => {
    const keys = Array.from({ length: texts.length }, (_, index) => texts.key(index));
    return keys.flatMap((key) => {
      const text = key?.startsWith(PREFIX) ? texts.getItem(key) : null;
      return key !== null && text !== null ? [{ key, text }] : [];
    });
  }, []);
}

// Lazy: most starts find nothing.
const loadRestoring = createModuleLoader(() => import('./restore-typed.ts'));

/**
 * Writes the typed answers of all owners as operations, each into the rows of its own owner's attempt. False: a file of
 * the app did not load, and the texts wait for the next page; neither a start nor a sign-out fails because of that.
 */
export async function storeTyped(core: Core): Promise<boolean> {
  const found = listTyped(core);
  if (found.length === 0) return true;
  await core.ready();
  const restoring = await loadRestoring().catch(() => null);
  if (!restoring) return false;
  const { restoreTyped } = restoring;
  for (const { key, text } of found) {
    const typed = parseTyped(text);
    if (typed && !(await restoreTyped(core, typed))) continue;
    // Another page may have typed on meanwhile.
    attempt(() => {
      if (core.env.texts?.getItem(key) === text) core.env.texts.removeItem(key);
    }, undefined);
  }
  return true;
}

/** At a sign-out and at another person's sign-in: text that could not be stored must not be readable. */
export function eraseTyped(core: Core, except: string | null): void {
  for (const { key, text } of listTyped(core)) {
    if (except !== null && parseTyped(text)?.owner === except) continue;
    attempt(() => core.env.texts?.removeItem(key), undefined);
  }
}
