import { parseArgs, type ParseArgsConfig } from 'node:util';
import { formatPercent, formatSize, formatSizeProgress } from '#domain/format.ts';
import { codeOf, messageOf, OperatorError } from '#server/db/operator-error.ts';
import { readEnvironment, type Environment } from '#server/environment.ts';
import type { BlobStore } from '#server/files/store/blob-store.ts';
import { openBlobs } from '#server/files/store/open.ts';
import { Refusal } from '#server/http/refusal.ts';
import { makeLog } from '#server/log.ts';
import { StoppedError } from './backup-error.ts';

/** The exit code of a command. */
export const EXIT = { done: 0, failed: 1, misused: 2, filesMissing: 3, stopped: 130 } as const;

/** The environment of a command. */
export interface Terminal {
  readonly environment: Environment;
  /** Aborted by the first Ctrl+C. */
  readonly signal: AbortSignal;
  say(line: string): void;
  warn(line: string): void;
}

const FIRST_AFTER_MS = 1_000;
/** A terminal shows one line that changes; a log gets a new line now and then. */
const EVERY_MS = { terminal: 200, log: 10_000 };

/** Reports progress, beginning after two seconds. */
export function createProgress(words: Record<string, string>): {
  report(stage: string, done: number, all: number): void;
  end(): void;
} {
  const isTerminal = process.stdout.isTTY;
  let next = Date.now() + FIRST_AFTER_MS;
  let isOpen = false;
  return {
    report(stage, done, all) {
      const now = Date.now();
      if (now < next) return;
      next = now + (isTerminal ? EVERY_MS.terminal : EVERY_MS.log);
      const far =
        all > 0
          ? `${formatSizeProgress(done, Math.max(done, all))}, ${formatPercent(Math.min(1, done / all))}`
          : formatSize(done);
      const line = `${words[stage] ?? stage}: ${far}`;
      process.stdout.write(isTerminal ? `\r\u001B[K${line}` : `${line}\n`);
      isOpen = isTerminal;
    },
    end() {
      if (isOpen) process.stdout.write('\r\u001B[K');
      isOpen = false;
    },
  };
}

/** The message for invalid arguments. */
export class UsageError extends Error {}

/**
 * @throws {UsageError} for an unknown option
 */
export function readArguments<const C extends ParseArgsConfig>(config: C) {
  try {
    return parseArgs({ ...config, allowPositionals: true });
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS') === true)
      throw new UsageError(
        `Параметр не подходит: ${/'(-[^' ]+)/.exec(messageOf(error))?.[1] ?? messageOf(error)}.`,
      );
    throw error;
  }
}

function explain(error: unknown, name: string): { words: string; code: number } {
  if (error instanceof StoppedError)
    return { words: 'Остановлено. Ничего не изменено.', code: EXIT.stopped };
  if (error instanceof UsageError)
    return { words: `${error.message}\nСправка: npm run ${name} -- --help`, code: EXIT.misused };
  if (error instanceof OperatorError || error instanceof Refusal)
    return { words: error.message, code: EXIT.failed };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { words: `Команда не выполнена из-за ошибки в программе:\n${stack}`, code: EXIT.failed };
}

/**
 * Runs with the file store that the environment configures.
 * @throws {OperatorError} with the store's message when it is unavailable
 */
export async function withBlobs<T>(
  environment: Environment,
  run: (blobs: BlobStore) => Promise<T>,
): Promise<T> {
  const { blobs, findProblem, close } = await openBlobs(
    environment,
    makeLog('error', process.stderr),
  );
  try {
    const words = await findProblem();
    if (words !== null) throw new OperatorError(words);
    return await run(blobs);
  } finally {
    close();
  }
}

/** Runs a command to its end and sets the exit code; the first Ctrl+C stops it cleanly. */
export async function runCommand(
  name: string,
  command: (terminal: Terminal) => Promise<number>,
): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => {
    // A second signal ends the process at once.
    if (stop.signal.aborted) process.exit(EXIT.stopped);
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    process.exitCode = await command({
      environment: readEnvironment(process.env),
      signal: stop.signal,
      say: (line) => void process.stdout.write(`${line}\n`),
      warn: (line) => void process.stderr.write(`${line}\n`),
    });
  } catch (error) {
    const { words, code } = explain(error, name);
    process.stderr.write(`${words}\n`);
    process.exitCode = code;
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
