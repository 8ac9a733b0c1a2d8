import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';

/** The list of the taking page's keys. One part for all its users: when it fails to load, other dialogs still open. */
export const TakingShortcuts = lazyPart(
  () => import('./TakingShortcuts.tsx'),
  (module) => module.TakingShortcuts,
);
