import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';

/** The list of the taking page's keys. Lost, it takes no other dialog with it: each user of it loads this one part. */
export const TakingShortcuts = lazyPart(
  () => import('./TakingShortcuts.tsx'),
  (module) => module.TakingShortcuts,
);
