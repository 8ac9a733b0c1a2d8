import type { ProjectDetails } from '#contract/projects.ts';

export type Stars = 1 | 2 | 3 | 4 | 5;
export const STARS_CHOICES: readonly Stars[] = [1, 2, 3, 4, 5];

type Rated = Pick<ProjectDetails, 'rating' | 'ratingCount' | 'myRating'>;

/** Optimistic rating summary including the own rating. */
export function withMyRating<Project extends Rated>(project: Project, stars: Stars): Project {
  const { rating, ratingCount, myRating } = project;
  const count = myRating === null ? ratingCount + 1 : ratingCount;
  const sum = (rating ?? 0) * ratingCount - (myRating ?? 0) + stars;
  return { ...project, rating: sum / count, ratingCount: count, myRating: stars };
}
