import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Serves one school after another in one process: the modules of the built server load once. Started by
 * `server-process.ts` with the folder of the build.
 *
 * @typedef {{ order: 'start', environment: Record<string, string> } | { order: 'stop' }} Order
 * @typedef {{ port: number } | { stopped: true } | { problem: string }} Reply
 */

const folder = process.argv[2] ?? '';
/** @param {string} name @returns {Promise<any>} */
const built = (name) => import(pathToFileURL(join(folder, name)).href);

/** @type {{ readEnvironment: typeof import('#server/environment.ts').readEnvironment }} */
const { readEnvironment } = await built('environment.js');
/** @type {{ runServer: typeof import('#server/run.ts').runServer }} */
const { runServer } = await built('run.js');

/** @type {import('#server/run.ts').Running | null} */
let running = null;

/** @param {Order} message @returns {Promise<Reply>} */
const obey = async (message) => {
  if (message.order === 'start') {
    if (running) throw new Error('the school before is still served');
    running = await runServer(readEnvironment(message.environment), () => undefined);
    return { port: Number(new URL(running.url).port) };
  }
  await running?.stop();
  running = null;
  return { stopped: true };
};

/** @param {Order} message */
const answer = async (message) => {
  const reply = await obey(message).catch((/** @type {unknown} */ error) => ({
    problem: String(error instanceof Error ? (error.stack ?? error.message) : error),
  }));
  process.send?.(reply);
};

process.on('message', (/** @type {Order} */ message) => void answer(message));
// The process that started it has ended.
process.on('disconnect', () => process.exit());
