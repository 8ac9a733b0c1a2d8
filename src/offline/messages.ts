import * as v from 'valibot';

/**
 * What page and worker say to each other. They may be of different versions: what does not parse
 * is ignored, and a message is only ever extended.
 */
export const ToWorker = v.variant('type', [
  /** Nobody may see this owner's content any more; `pictures` stay while his attempt runs. */
  v.object({
    type: v.literal('forgetOwner'),
    owner: v.string(),
    keepPictures: v.optional(v.boolean(), false),
  }),
  /** Content of everybody but this owner goes. */
  v.object({ type: v.literal('keepOnly'), owner: v.string() }),
  /**
   * The person agreed to the update; answered by `UpdateVerdict` on the port. `duringAttempt`: the
   * server takes nothing from this version any more, so the attempt goes on only after it.
   */
  v.object({
    type: v.literal('applyUpdate'),
    duringAttempt: v.optional(v.boolean(), false),
  }),
]);
export type ToWorker = v.InferInput<typeof ToWorker>;

/** Why an update cannot take over now: an attempt runs, or the app is open in other tabs too. */
export const UpdateVerdict = v.object({
  type: v.literal('updateVerdict'),
  verdict: v.picklist(['applied', 'attemptRuns', 'otherTabs']),
});
export type UpdateVerdict = v.InferOutput<typeof UpdateVerdict>;

/** Tag of the Background Sync that wakes the worker to send. */
export const SYNC_TAG = 'outbox';

/** When a kept reply came from the server, ISO 8601; present only on replies out of the worker's caches. */
export const SAVED_AT_HEADER = 'x-saved-at';

/** Names of the worker's caches that may go when the device has no room for an answer. */
export const FREEABLE_CACHES = /^(?:content|assets)-/;
