import { spawn } from 'node:child_process';
import { root, say } from './project.mjs';

/**
 * @typedef {{
 *   env?: NodeJS.ProcessEnv,
 *   cwd?: string,
 *   live?: boolean,
 *   progress?: string,
 * }} RunOptions
 * live: passes output on as it comes; progress: prints this every 20 s while nothing else is printed.
 */

const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };

const passedOn = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{code: number, output: string}>} code is 127 when it cannot be started
 */
export const run = (command, args, options = {}) =>
  new Promise((resolve) => {
    const started = Date.now();
    let output = '';
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...colours, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command.endsWith('.cmd'),
    });
    const beat =
      options.progress === undefined
        ? undefined
        : setInterval(
            () => say(`  ${options.progress}: ${Math.round((Date.now() - started) / 1000)} с`),
            20_000,
          );
    let stopped = false;
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      stopped = true;
      child.kill(signal);
      // npm finishes its installation before it listens to signals.
      setTimeout(() => child.kill('SIGKILL'), 5_000).unref();
    };
    for (const signal of passedOn) process.on(signal, stop);
    /** @param {number} code */
    const end = (code) => {
      clearInterval(beat);
      if (stopped) process.exit(130);
      for (const signal of passedOn) process.off(signal, stop);
      resolve({ code, output });
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output += text;
        if (options.live === true) process.stdout.write(text);
      });
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(127);
    });
    child.on('close', (code, signal) => end(code ?? (signal === null ? 1 : 128)));
  });

/**
 * Runs a tool of the project's own packages, without npx and its start-up.
 * @param {string} script path of the tool's JavaScript inside node_modules
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export const runTool = (script, args, options) =>
  run(process.execPath, [`node_modules/${script}`, ...args], options);

/** @param {string[]} lines */
const indented = (lines) => lines.map((line) => `    ${line}`).join('\n');

/**
 * Indented first lines of a program's output, for a person to read.
 * @param {string} output
 * @param {number} lines
 */
export const head = (output, lines) => indented(output.trimEnd().split('\n').slice(0, lines));

/**
 * Indented last lines of a program's output, for a person to read.
 * @param {string} output
 * @param {number} lines
 */
export const tail = (output, lines) => indented(output.trimEnd().split('\n').slice(-lines));
