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
export class Trouble extends Error {}

/**
 * Runs a script's body and turns a failure into one line and exit code 1.
 * @param {() => Promise<number | void>} body its number becomes the exit code
 */
export const main = async (body) => {
  try {
    const code = await body();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    process.stderr.write(
      error instanceof Trouble ? `${error.message}\n` : `${/** @type {Error} */ (error).stack}\n`,
    );
    process.exitCode = 1;
  }
};
