import {
  create,
  gcdDependencies,
  lcmDependencies,
  parseDependencies,
  roundDependencies,
} from 'mathjs/number';

/** The used parts of the library: its parser, whose trees are never executed, and integers. */
export const { parse, gcd, lcm, round } = create({
  ...parseDependencies,
  ...gcdDependencies,
  ...lcmDependencies,
  ...roundDependencies,
});
