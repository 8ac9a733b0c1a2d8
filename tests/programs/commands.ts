import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { serverBundle } from './server-bundle.ts';

/** The result of a command. */
export interface Ended {
  /** Null: killed. */
  readonly code: number | null;
  readonly said: string;
  readonly warned: string;
}

export interface Command {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The environment of a command. */
export interface CommandPlace {
  readonly dataDir: string;
  /** Absent: the embedded PostgreSQL of the data folder. */
  readonly databaseUrl?: string;
  /** Address of the database's owner, where the server uses another role. */
  readonly migrationsUrl?: string;
  /** Largest file that the command may write, in blocks of 512 bytes: simulates a full disk. */
  readonly fileBlocks?: number;
}

type CommandName = 'backup' | 'restore' | 'reset-password';

/** Starts a command as shipped, in a separate process. */
export async function startCommand(
  name: CommandName,
  args: readonly string[],
  { dataDir, databaseUrl, migrationsUrl, fileBlocks }: CommandPlace,
): Promise<Command> {
  const program = join(dirname(await serverBundle()), `${name}.js`);
  const command = [process.execPath, program, ...args];
  const [file = '', ...rest] =
    fileBlocks === undefined
      ? command
      : ['/bin/sh', '-c', `ulimit -f ${fileBlocks}; exec "$@"`, 'sh', ...command];
  const child = spawn(file, rest, {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(migrationsUrl === undefined ? {} : { MIGRATIONS_DATABASE_URL: migrationsUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { said: '', warned: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.warned += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
  return { child, ended };
}

/** Runs a command to its end. */
export async function runCommand(
  name: CommandName,
  args: readonly string[],
  place: CommandPlace,
): Promise<Ended> {
  return (await startCommand(name, args, place)).ended;
}
