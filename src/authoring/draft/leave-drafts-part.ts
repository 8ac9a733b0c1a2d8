import { createPart } from '#app/ui/lazy/part.ts';

/** What a sign-out shows to whoever edits tests; an open editor loads it ahead of time. */
export const leaveDraftsPart = createPart(
  () => import('./LeaveDrafts.tsx'),
  (module) => module.LeaveDrafts,
);
