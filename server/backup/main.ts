import { basename, dirname, join } from 'node:path';
import { formatCount, formatSize, type Forms } from '#domain/format.ts';
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
import { type BackupMade, makeBackup } from './make.ts';
import { chooseTarget, pruneBackups } from './names.ts';
import { openSharedDatabase } from './running-database.ts';

const ROWS: Forms = ['строка', 'строки', 'строк'];
const FILES: Forms = ['файл', 'файла', 'файлов'];
const MISSING_SHOWN = 10;

const WORDS = { copying: 'Сохраняем', checking: 'Проверяем' };

function readKeep(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError('После --keep нужно число копий, от 1.');
  return Number(text);
}

function reportMade(made: BackupMade, { say, warn }: Terminal): number {
  say(
    `Резервная копия готова и проверена: ${made.path} (${formatSize(made.size)}; ${formatCount(made.rows, ROWS)} базы данных, ${formatCount(made.files, FILES)}).`,
  );
  if (made.missing.length === 0) return EXIT.done;
  warn(
    `Не всё из того, что названо в базе данных, нашлось целым (${formatCount(made.missing.length, FILES)}): в копии этого нет.`,
  );
  for (const name of made.missing.slice(0, MISSING_SHOWN)) warn(`  ${name}`);
  return EXIT.filesMissing;
}

await runCommand('backup', async (terminal) => {
  const { environment, signal, say } = terminal;
  const { values, positionals } = readArguments({ options: { keep: { type: 'string' } } });
  if (positionals.length > 1) throw new UsageError('Укажите один путь.');
  const keep = readKeep(values.keep);
  const { DATA_DIR: dataDir, SCHOOL_TIMEZONE: timeZone } = environment;
  const databaseUrl = ownerUrl(environment);
  const now = new Date();
  const folder = environment.BACKUP_DIR ?? join(dataDir, 'backups');
  const target = await chooseTarget(positionals[0], folder, { now, timeZone });
  const database = await openSharedDatabase({
    databaseUrl,
    dataDir,
    say,
    vain: 'сохранять нечего',
  });
  const progress = createProgress(WORDS);
  try {
    const made = await withBlobs(environment, (blobs) =>
      makeBackup({
        pool: database.pool,
        dataDir,
        blobs,
        target,
        productVersion: productVersion(),
        now,
        signal,
        progress: progress.report,
      }),
    );
    progress.end();
    const code = reportMade(made, terminal);
    if (keep !== null)
      for (const name of await pruneBackups(target, keep))
        say(`Удалена старая копия ${name} (оставляем ${keep}) из ${basename(dirname(target))}.`);
    return code;
  } finally {
    progress.end();
    await database.close();
  }
});
