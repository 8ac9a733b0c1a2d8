import { createInterface } from 'node:readline/promises';
import { ATTEMPTS, formatCount, type Forms } from '#domain/format.ts';
import { openDatabase } from '#server/db/connect.ts';
import { ownerUrl } from '#server/environment.ts';
import { productVersion } from '#server/version.ts';
import {
  createProgress,
  EXIT,
  UsageError,
  readArguments,
  runCommand,
  type Terminal,
  withBlobs,
} from './command.ts';
import type { DatabaseState } from './database-state.ts';
import { restoreBackup } from './restore.ts';
import { type VerifiedBackup, verifyBackup } from './verify.ts';

const PEOPLE: Forms = ['человек', 'человека', 'человек'];
const POOL_SIZE = 3;

const WORDS = { checking: 'Проверяем копию', restoring: 'Восстанавливаем' };

const timeOf = ({ opening }: VerifiedBackup, timeZone: string): string =>
  new Intl.DateTimeFormat('ru-RU', { timeZone, dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(opening.madeAt),
  );

/** Asks the person at the terminal; without one there is nobody to ask. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await lines.question(question)).trim().toLowerCase() === 'да';
  } finally {
    lines.close();
  }
}

async function check(path: string, { environment, say, signal }: Terminal): Promise<number> {
  const backup = await verifyBackup(path, { signal });
  say(
    `Резервная копия цела: ${path}, создана ${timeOf(backup, environment.SCHOOL_TIMEZONE)} программой ${backup.opening.productVersion}.`,
  );
  return EXIT.done;
}

await runCommand('restore', async (terminal) => {
  const { environment, signal, say } = terminal;
  const { values, positionals } = readArguments({
    options: {
      replace: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1)
    throw new UsageError('Укажите файл резервной копии, один.');
  if (values.check) return check(path, terminal);

  const { DATA_DIR: dataDir, SCHOOL_TIMEZONE: timeZone } = environment;
  const databaseUrl = ownerUrl(environment);
  async function mayReplace(state: DatabaseState, backup: VerifiedBackup): Promise<boolean> {
    if (!values.replace) return false;
    if (values.yes) return true;
    return confirm(
      `В базе данных сейчас ${formatCount(state.people, PEOPLE)} и ${formatCount(state.attempts, ATTEMPTS)}. Всё это будет заменено копией от ${timeOf(backup, timeZone)}. Напишите «да», чтобы продолжить: `,
    );
  }

  let isOpen = true;
  // Connections that end when the database is closed are expected.
  const sayOpen = (line: string) => (isOpen ? say(line) : undefined);
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    say: sayOpen,
    poolSize: POOL_SIZE,
  });
  const progress = createProgress(WORDS);
  try {
    const { backup, epoch, steps } = await withBlobs(environment, (blobs) =>
      restoreBackup({
        pool: database.pool,
        dataDir,
        blobs,
        path,
        productVersion: productVersion(),
        now: new Date(),
        mayReplace,
        signal,
        progress: progress.report,
      }),
    );
    progress.end();
    say(`Восстановлено состояние на ${timeOf(backup, timeZone)} (эпоха сервера ${epoch}).`);
    if (steps.length > 0) say(`База данных обновлена до этой версии: шагов — ${steps.length}.`);
    say('Запустите сервер. Устройства учеников сами пришлют ответы, которых в копии нет.');
    return EXIT.done;
  } finally {
    progress.end();
    isOpen = false;
    await database.close();
  }
});
