import {
  create,
  gcdDependencies,
  lcmDependencies,
  parseDependencies,
  roundDependencies,
} from 'mathjs/number';

/** What is used of the library: its parser, whose trees are walked and never run, and whole numbers. */
export const { parse, gcd, lcm, round } = create({
  ...parseDependencies,
  ...gcdDependencies,
  ...lcmDependencies,
  ...roundDependencies,
});
