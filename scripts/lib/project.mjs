import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, whatever the current one is. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @param {string[]} parts path inside the project */
export const inProject = (...parts) => join(root, ...parts);

/** @param {string} line one line for the person who started the script */
export const say = (line) => {
  process.stdout.write(`${line}\n`);
};

/** A failure with words for a person; `main` prints them without a stack. */
export class ScriptError extends Error {}

/** @param {unknown} error @returns {string} words when they were meant for a person, else the stack */
const explain = (error) => {
  if (error instanceof ScriptError) return error.message;
  const { code, message, stack } = /** @type {NodeJS.ErrnoException} */ (error);
  return code?.startsWith('ERR_PARSE_ARGS') === true
    ? `Параметр не подходит: ${message}`
    : String(stack);
};

/**
 * npm hands a signal to the shell between us only, so a stopped `npm start` would leave the
 * server running: when the parent is gone, this process stops as well.
 */
const stopWithParent = () => {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
};

/**
 * Runs a script's body and turns a failure into one line and exit code 1.
 * @param {() => Promise<number | void>} body its number becomes the exit code
 */
export const main = async (body) => {
  stopWithParent();
  try {
    const code = await body();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
};
