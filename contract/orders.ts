import * as v from 'valibot';

// Apart from the calls: the address of a list names its order, and addresses are read before any screen loads.

/** Sort options (specification, section 3): by creation date, rating, views, name. */
export const ProjectOrder = v.picklist(['new', 'high_rating', 'high_views', 'name']);
export type ProjectOrder = v.InferOutput<typeof ProjectOrder>;

/** How the attempts of the statistics are sorted. */
export const StatisticsOrder = v.picklist(['name', 'points', 'finished', 'used']);
export type StatisticsOrder = v.InferOutput<typeof StatisticsOrder>;
