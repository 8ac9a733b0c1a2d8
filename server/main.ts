import cluster from 'node:cluster';
import { OperatorError } from './db/operator-error.ts';
import { readEnvironment } from './environment.ts';
import { runPrimary } from './processes/primary.ts';
import { type ProcessControl, runServer } from './run.ts';
import { WorkerFailedError } from './processes/supervise-workers.ts';
import { runWorker } from './processes/worker.ts';

const printLine = (line: string) => {
  process.stdout.write(`${line}\n`);
};

const fail = (error: unknown) => {
  process.exitCode = 1;
  // The worker has printed why.
  if (error instanceof WorkerFailedError) return;
  const words =
    error instanceof OperatorError
      ? error.message
      : `Сервер не запустился из-за ошибки в программе:\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  process.stderr.write(`${words}\n`);
};

/** This process serves alone, or is one of several that share a port, or starts these. */
function start(): Promise<ProcessControl> {
  const environment = readEnvironment(process.env);
  if (cluster.isWorker) return runWorker(environment, printLine);
  return environment.WEB_CONCURRENCY > 1
    ? runPrimary(environment, printLine)
    : runServer(environment, printLine);
}

async function main(): Promise<void> {
  const starting = start();
  let isStopping = false;
  const stop = async () => {
    // A second signal ends the process at once.
    if (isStopping) process.exit(130);
    isStopping = true;
    try {
      const running = await starting;
      if (!cluster.isWorker) printLine('Останавливаемся.');
      await running.stop();
      process.exit(0);
    } catch {
      process.exit(1);
    }
  };
  process.on('SIGTERM', () => void stop());
  // A terminal sends it to all processes: the primary ends the workers.
  process.on('SIGINT', () => void (cluster.isWorker || stop()));
  // A start that fails is reported below.
  const reload = () => starting.then((running) => running.reload()).catch(() => undefined);
  process.on('SIGHUP', () => void reload());
  await starting;
}

try {
  await main();
} catch (error) {
  fail(error);
  // Its connection to the primary would prevent it from ending.
  if (cluster.isWorker) process.exit();
}
