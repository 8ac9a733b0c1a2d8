import { spawn } from 'node:child_process';
import { prepare } from './prepare.mjs';
import { root } from './project.mjs';

/**
 * Runs a TypeScript program of the project with this script's own arguments and terminal.
 * @param {string} program path from the project's folder
 * @returns {Promise<number>} its exit code
 */
export const passThrough = async (program) => {
  await prepare();
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  // A terminal's Ctrl-C reaches the child by itself; here it only must not end the parent first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
};
