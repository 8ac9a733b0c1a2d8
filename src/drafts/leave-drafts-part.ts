import { createPart } from '#app/ui/lazy/part.ts';

/** The dialog of a sign-out for authors of tests. An open editor loads it ahead of time. */
export const leaveDraftsPart = createPart(
  () => import('./LeaveDrafts.tsx'),
  (module) => module.LeaveDrafts,
);
