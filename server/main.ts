import { OperatorError } from './db/operator-error.ts';
import { readEnvironment } from './environment.ts';
import { runServer } from './run.ts';

const say = (line: string) => {
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
  const starting = runServer(readEnvironment(process.env), say);
  let asked = false;
  const stop = async () => {
    // A second signal does not wait.
    if (asked) process.exit(130);
    asked = true;
    try {
      const running = await starting;
      say('Останавливаемся.');
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
