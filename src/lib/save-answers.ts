import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { whenIdle } from '#app/lazy/when-idle.ts';
import type { FileSource } from './answers-file.ts';

const load = createModuleLoader(() => import('./answers-file.ts'));

/** Loads ahead of time: the network may be gone when the file is needed. */
export const preloadSaveAnswers = (): void => whenIdle(() => void load().catch(() => undefined));

/** See `answers-file.ts`. */
export async function saveAnswers(
  outbox: FileSource,
  owner: string,
  names: readonly (string | undefined)[],
): Promise<void> {
  const file = await load();
  await file.saveAnswers(outbox, owner, names);
}
