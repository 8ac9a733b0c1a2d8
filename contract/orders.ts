import * as v from 'valibot';

// Separate from the calls: a list's URL names its order, and URLs are parsed before any screen loads.

/** Sort options (specification, section 3): by creation date, rating, views, name. */
export const ProjectOrder = v.picklist(['new', 'high_rating', 'high_views', 'name']);
export type ProjectOrder = v.InferOutput<typeof ProjectOrder>;

/** Sort orders of the attempts in the statistics. */
export const StatisticsOrder = v.picklist(['name', 'points', 'finished', 'used']);
export type StatisticsOrder = v.InferOutput<typeof StatisticsOrder>;
