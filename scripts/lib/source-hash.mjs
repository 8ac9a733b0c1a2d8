import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { inProject } from './project.mjs';

const folders = [
  'contract',
  'domain',
  'interchange',
  'src',
  'src-sw',
  'server',
  'public',
  'docs/help',
];
const files = [
  'index.html',
  'package.json',
  'package-lock.json',
  'postcss.config.cjs',
  'vite.config.ts',
  'vite.server.config.ts',
  'scripts/lib/build.mjs',
];
const notBuilt = /\.test\.tsx?$|routeTree\.gen\.ts$|[\\/]\.[^\\/]*$/;

/** @returns {string[]} everything the build reads, in a fixed order */
const sources = () =>
  folders
    .filter((folder) => existsSync(inProject(folder)))
    .flatMap((folder) =>
      readdirSync(inProject(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`)
        .filter((path) => !notBuilt.test(path))
        .map((path) => path.slice(inProject().length + 1).replaceAll('\\', '/')),
    )
    .concat(files.filter((file) => existsSync(inProject(file))))
    .sort();

/** @returns {string} hexadecimal SHA-256 of names and contents */
export const sourceHash = () => {
  const hash = createHash('sha256');
  for (const path of sources()) hash.update(`${path}\0`).update(readFileSync(inProject(path)));
  return hash.digest('hex');
};
