import * as v from 'valibot';

/**
 * Messages between page and worker. Their versions may differ: unparsable messages are ignored, and messages
 * are only ever extended.
 */
export const ToWorker = v.variant('type', [
  /** Delete this owner's cached content; `pictures` stay while the attempt runs. */
  v.object({
    type: v.literal('forgetOwner'),
    owner: v.string(),
    keepPictures: v.optional(v.boolean(), false),
  }),
  /** Delete the cached content of everybody but this owner. */
  v.object({ type: v.literal('keepOnly'), owner: v.string() }),
  /**
   * The user confirmed the update; answered by `UpdateVerdict` on the port. `duringAttempt`: the server rejects
   * this version, so the attempt continues only after the update.
   */
  v.object({
    type: v.literal('applyUpdate'),
    duringAttempt: v.optional(v.boolean(), false),
  }),
]);
export type ToWorker = v.InferInput<typeof ToWorker>;

/** Why an update cannot be applied now: an attempt runs, or the app is open in other tabs. */
export const UpdateVerdict = v.object({
  type: v.literal('updateVerdict'),
  verdict: v.picklist(['applied', 'attemptRuns', 'otherTabs']),
});
export type UpdateVerdict = v.InferOutput<typeof UpdateVerdict>;

/** Tag of the Background Sync that wakes the worker to send. */
export const SYNC_TAG = 'outbox';

/** When a cached reply was received, ISO 8601; present only on replies from the worker's caches. */
export const SAVED_AT_HEADER = 'x-saved-at';

/** Names of the worker's caches that may be deleted when there is no space for an answer. */
export const FREEABLE_CACHES = /^(?:content|painted|assets)-/;
