import type { Client } from '#server/db/query.ts';
import { analyse } from './analysis.ts';
import { csvOf } from './cells.ts';
import type { AttemptChoice, AnalysedTest } from './chosen.ts';
import { endedAttempts, loadMatrix } from './matrix.ts';
import { statisticsPage } from './rows.ts';
import { answersTable, attemptsTable, itemsTable } from './tables.ts';
import { workbookOf } from './workbook.ts';

const EVERY_ROW = 2_147_483_647;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** A name valid on every system: «Статистика – Законы Ньютона.csv». */
function fileName(title: string, format: keyof typeof TYPES): string {
  // oxlint-disable-next-line no-control-regex -- no system takes them in a name
  const plain = title.replaceAll(/[\u0000-\u001f\\/:*?"<>|]+/g, ' ').trim();
  return `Статистика – ${plain.slice(0, 80).trim() || 'тест'}.${format}`;
}

/** The chosen attempts as a file. An empty test gives headings and a sentence. */
export async function exportFile(
  db: Client,
  test: AnalysedTest,
  choice: AttemptChoice,
  { format, timeZone, now }: { format: 'xlsx' | 'csv'; timeZone: string; now: Date },
): Promise<{ fileName: string; mimeType: string; content: string }> {
  const matrix = await loadMatrix(db, test, await endedAttempts(db, test, choice));
  const page = {
    ...choice,
    searchQuery: '',
    sortOrder: 'name',
    descending: false,
    unstarted: true,
    page: 1,
    pageSize: EVERY_ROW,
  } as const;
  const { items: rows } = await statisticsPage(db, test, page, now);
  const attempts = attemptsTable(rows, matrix, timeZone);
  const write = async () => {
    if (format === 'csv') return csvOf(attempts);
    const { items } = await analyse(matrix);
    return workbookOf([attempts, itemsTable(items), answersTable(items)]);
  };
  const file = await write();
  return {
    fileName: fileName(test.name, format),
    mimeType: TYPES[format],
    content: file.toString('base64'),
  };
}
