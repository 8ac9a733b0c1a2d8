import { OperatorError } from './db/operator-error.ts';
import { readEnvironment } from './environment.ts';
import { runServer } from './run.ts';

const printLine = (line: string) => {
  process.stdout.write(`${line}\n`);
};

const fail = (error: unknown) => {
  const words =
    error instanceof OperatorError
      ? error.message
      : `Сервер не запустился из-за ошибки в программе:\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
};

async function main(): Promise<void> {
  const starting = runServer(readEnvironment(process.env), printLine);
  let isStopping = false;
  const stop = async () => {
    // A second signal ends the process at once.
    if (isStopping) process.exit(130);
    isStopping = true;
    try {
      const running = await starting;
      printLine('Останавливаемся.');
      await running.stop();
      process.exit(0);
    } catch {
      process.exit(1);
    }
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  const running = await starting;
  process.on('SIGHUP', () => void running.reload());
}

try {
  await main();
} catch (error) {
  fail(error);
}
