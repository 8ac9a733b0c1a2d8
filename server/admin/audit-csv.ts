import type { AuditEntry } from '#contract/admin.ts';
import { CSV_MARK, escapeFormula, formatCsv } from '#domain/csv.ts';
import { formatNumber } from '#domain/format.ts';
import { actLabel, actorLabel, describeDetails, subjectLabel } from '#domain/labels-audit.ts';

const HEADS = [
  'Когда',
  'В последний раз',
  'Раз',
  'Действие',
  'Подробности',
  'С кем или с чем',
  'Кто',
];

/** «21.05.2026 10:42:05» by the school's clock, which Russian Excel reads as a date. */
function clockOf(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('ru-RU', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return (iso) => format.format(new Date(iso)).replace(',', '');
}

/**
 * The log as CSV for Russian Excel, in chunks, with formulas neutralized. After `most` entries a line says that there
 * are more.
 */
export async function* auditCsv(
  batches: AsyncIterable<readonly AuditEntry[]>,
  { timeZone, most }: { timeZone: string; most: number },
): AsyncGenerator<string> {
  const clock = clockOf(timeZone);
  yield CSV_MARK + formatCsv([HEADS], escapeFormula);
  let left = most;
  for await (const batch of batches) {
    const lines = batch
      .slice(0, left)
      .map((entry) => [
        clock(entry.at),
        entry.lastAt === entry.at ? '' : clock(entry.lastAt),
        String(entry.times),
        actLabel(entry.act),
        describeDetails(entry),
        subjectLabel(entry),
        actorLabel(entry),
      ]);
    left -= lines.length;
    if (lines.length > 0) yield formatCsv(lines, escapeFormula);
    if (batch.length > lines.length) {
      const count = formatNumber(most);
      yield formatCsv(
        [[`Здесь не больше ${count} записей. Остальные выгрузите за другое время`]],
        escapeFormula,
      );
      return;
    }
  }
}
