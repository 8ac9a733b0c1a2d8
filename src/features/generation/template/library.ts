import {
  create,
  gcdDependencies,
  lcmDependencies,
  parseDependencies,
  roundDependencies,
} from 'mathjs/number';

/** The used parts of the library: integers and the parser. Its trees are never executed. */
export const { parse, gcd, lcm, round } = create({
  ...parseDependencies,
  ...gcdDependencies,
  ...lcmDependencies,
  ...roundDependencies,
});
