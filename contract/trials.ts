import * as v from 'valibot';

/** An attempt that a teacher or an administrator began. */
export const Trial = v.optional(v.boolean(), false);

/** Trials are left out of lists and figures unless they are asked for. */
export const ShowTrials = v.optional(v.literal('1'));

/** How many trials there are of the chosen class, shown or not. */
export const TrialCount = v.optional(v.number(), 0);
