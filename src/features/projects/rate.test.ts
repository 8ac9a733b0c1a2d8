import { expect, test } from 'vitest';
import { withMyRating } from './rate.ts';

test('the first rating of all is the mean', () => {
  const unrated = { rating: null, ratingCount: 0, myRating: null };
  expect(withMyRating(unrated, 4)).toEqual({ rating: 4, ratingCount: 1, myRating: 4 });
});

test('a rating is added to those of others', () => {
  const rated = { rating: 4, ratingCount: 3, myRating: null };
  expect(withMyRating(rated, 2)).toEqual({ rating: 3.5, ratingCount: 4, myRating: 2 });
});

test('another choice replaces the own rating and adds none', () => {
  const mine = { rating: 3.5, ratingCount: 4, myRating: 2 };
  expect(withMyRating(mine, 4)).toEqual({ rating: 4, ratingCount: 4, myRating: 4 });
});
