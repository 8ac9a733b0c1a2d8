import * as v from 'valibot';

/** An attempt that a teacher or an administrator began. */
export const Trial = v.optional(v.boolean(), false);

/** Trials are excluded from lists and figures by default. */
export const ShowTrials = v.optional(v.literal('1'));

/** Number of trials in the chosen class, shown or not. */
export const TrialCount = v.optional(v.number(), 0);
