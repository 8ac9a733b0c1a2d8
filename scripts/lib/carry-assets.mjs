import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Number of builds with files that stay reachable: a page opened before an update still loads its parts. */
const retained = 3;

/** @param {string} path @returns {string[][]} files of earlier builds, newest first */
const readBuilds = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
};

/** @param {string[]} a @param {string[]} b */
const same = (a, b) => a.length === b.length && a.every((name, index) => name === b[index]);

/**
 * Copies the hashed assets of the last three builds beside the new ones, and records which build each belongs to.
 * @param {{out: string, client: string}} folders `out/client` is the previous build, `client` the new one
 */
export const carryAssets = ({ out, client }) => {
  const list = join(out, 'builds.json');
  const fresh = readdirSync(join(client, 'assets')).sort();
  const earlier = readBuilds(list)
    .filter((names) => !same(names, fresh))
    .slice(0, retained);
  for (const name of new Set(earlier.flat())) {
    const from = join(out, 'client', 'assets', name);
    const to = join(client, 'assets', name);
    if (!existsSync(to) && existsSync(from)) copyFileSync(from, to);
  }
  writeFileSync(list, `${JSON.stringify([fresh, ...earlier])}\n`);
};
