import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inProject } from '#scripts/lib/project.mjs';
import { sourceHash } from '#scripts/lib/source-hash.mjs';

function removeOld(home: string): void {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (Date.now() - statSync(path).mtimeMs > MAX_AGE_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

const builtHash = (): unknown => {
  try {
    return JSON.parse(readFileSync(inProject('dist', 'stamp.json'), 'utf8')).hash;
  } catch {
    return undefined;
  }
};

/** Bundles of changed sources are removed after this; younger ones may be in use. */
const MAX_AGE_MS = 3_600_000;

let found: Promise<string> | undefined;

/**
 * The server as shipped, from the sources at the first call: the one in `dist` if it is fresh, else a separate bundle
 * built in the same steps, without the app's pages. Returns the path of its `main.js`.
 */
export const serverBundle = (): Promise<string> => (found ??= findBundle());

async function findBundle(): Promise<string> {
  const hash = sourceHash();
  const shipped = inProject('dist', 'server', 'main.js');
  if (builtHash() === hash && existsSync(shipped)) return shipped;

  const home = inProject('.cache', 'server');
  const cached = join(home, hash);
  const program = join(cached, 'server', 'main.js');
  if (existsSync(program)) return program;

  const making = join(home, randomUUID());
  const out = join(making, 'server');
  const vite = inProject('node_modules', 'vite', 'bin', 'vite.js');
  const args = ['build', '-c', 'vite.server.config.ts', '--outDir', out, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, ...args], {
    cwd: inProject(),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  cpSync(inProject('server', 'db', 'migrations'), join(out, 'migrations'), { recursive: true });
  removeOld(home);
  try {
    renameSync(making, cached);
  } catch (error) {
    // another run was first with the same sources
    if (!existsSync(program)) throw error;
    rmSync(making, { recursive: true, force: true });
  }
  return program;
}
