import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build under test; `E2E_DIST` selects another one than the project's own. */
export const DIST = process.env['E2E_DIST'] ?? fileURLToPath(new URL('../dist', import.meta.url));
const BUILT = join(DIST, 'server');
const HOST = fileURLToPath(new URL('server-host.mjs', import.meta.url));
const START_LIMIT_MS = 90_000;
/** A server that takes longer to stop is killed. */
const STOP_LIMIT_MS = 5_000;

type Settings = Readonly<Record<string, string>>;

/** A server of one school that listens. */
export interface ServerProcess {
  readonly port: number;
  /** `kill -9` of the process that serves. */
  kill(): Promise<void>;
  /** Marks the end of its school, so that nobody waits for it any more. */
  release(): Promise<void>;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Resolves with what `listen` hands on; fails with the child's end, or when neither comes in time. */
async function answerOf<T>(
  child: ChildProcess,
  limitMs: number,
  listen: (answer: (value: T) => void) => void,
): Promise<T> {
  const over = new AbortController();
  try {
    return await new Promise<T>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`the server of a test school ${why}`));
      const timer = setTimeout(() => fail(`did not answer in ${limitMs} ms`), limitMs);
      const onExit = () => fail(`ended with ${child.exitCode ?? child.signalCode}`);
      child.once('exit', onExit);
      over.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        child.off('exit', onExit);
      });
      listen(resolve);
    });
  } finally {
    over.abort();
  }
}

/** Starts the program of the build in a process of its own. */
export async function startProgram(settings: Settings): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(BUILT, 'main.js')], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = () => kill(child);
  try {
    const port = await answerOf<number>(child, START_LIMIT_MS, (answer) => {
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const [, shown] = /^Сервер работает: \S+:(\d+)$/m.exec(printed) ?? [];
        if (shown !== undefined) answer(Number(shown));
      });
    });
    return { port, kill: end, release: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A process that serves one school after another. */
export interface ServerHost {
  start(settings: Settings): Promise<ServerProcess>;
  close(): Promise<void>;
}

type Reply = { port: number } | { stopped: true } | { problem: string };

/** Loading the server's modules is most of its start, so a school that ends passes its process on to the next. */
export function createServerHost(): ServerHost {
  let idle: ChildProcess | null = null;

  async function order(child: ChildProcess, message: object, limitMs: number): Promise<Reply> {
    if (!child.connected) throw new Error('the process of the test schools has ended');
    const reply = await answerOf<Reply>(child, limitMs, (answer) => {
      child.once('message', (received) => answer(received as Reply));
      // The child's end is noticed above.
      child.send(message, () => undefined);
    });
    if ('problem' in reply) throw new Error(reply.problem);
    return reply;
  }

  return {
    async start(settings) {
      const child: ChildProcess =
        idle ??
        fork(HOST, [BUILT], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      idle = null;
      const end = () => kill(child);
      try {
        const environment = { ...process.env, ...settings };
        const reply = await order(child, { order: 'start', environment }, START_LIMIT_MS);
        if (!('port' in reply)) throw new Error('the server of a test school has no port');
        return {
          port: reply.port,
          kill: end,
          async release() {
            try {
              await order(child, { order: 'stop' }, STOP_LIMIT_MS);
              idle = child;
            } catch {
              await end();
            }
          },
        };
      } catch (error) {
        await end();
        throw error;
      }
    },
    async close() {
      if (idle) await kill(idle);
    },
  };
}
