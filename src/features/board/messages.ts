import type { BoardRow } from '#contract/board.ts';
import { formatClock, formatElapsed } from '#domain/format-time.ts';
import { ANSWERS, formatCount, plural, type Forms } from '#domain/format.ts';
import { contactOf, isInProgress, missingOf, type BoardCounts } from './rules.ts';

export const STUDENTS: Forms = ['ученик', 'ученика', 'учеников'];
export const STUDENTS_GENITIVE: Forms = ['ученика', 'учеников', 'учеников'];
const FILES: Forms = ['файл', 'файла', 'файлов'];
export const TIMES: Forms = ['раз', 'раза', 'раз'];

/** «24 ученикам». */
const STUDENTS_DATIVE: Forms = ['ученику', 'ученикам', 'ученикам'];
export const formatForStudents = (count: number): string => formatCount(count, STUDENTS_DATIVE);

/** Labels of the counts, shown after the figures. */
export const countLabels = {
  writing: (n: number) => plural(n, ['пишет', 'пишут', 'пишут']),
  finished: (n: number) => plural(n, ['сдал', 'сдали', 'сдали']),
  notStarted: (n: number) => plural(n, ['не начал', 'не начали', 'не начали']),
  offline: () => 'нет связи',
  timeOver: () => 'время вышло',
  closed: (n: number) => plural(n, ['закрыт сервером', 'закрыты сервером', 'закрыты сервером']),
  missing: (n: number, students: number) =>
    n === 0
      ? 'неотправленных'
      : `${plural(n, ['неотправленный', 'неотправленных', 'неотправленных'])} у ${formatCount(students, STUDENTS_GENITIVE)}`,
} as const;

/** All counts as one sentence for screen readers. */
export function formatCounts(counts: BoardCounts): string {
  const { writing, finished, notStarted, offline, timeOver, closed, missing } = counts;
  const parts = [
    `${writing} ${countLabels.writing(writing)}`,
    `${finished} ${countLabels.finished(finished)}`,
    `${notStarted} ${countLabels.notStarted(notStarted)}`,
    `без связи ${offline}`,
    ...(timeOver > 0 ? [`время вышло у ${timeOver}`] : []),
    ...(closed > 0 ? [`${closed} ${countLabels.closed(closed)}`] : []),
    `${missing} ${countLabels.missing(missing, counts.missingStudents)}`,
  ];
  return `${parts.join(', ')}.`;
}

/** «2 ответа и 1 файл»; empty if nothing is missing. */
export function missingLabel({ unsent, filesUnderway }: BoardRow): string {
  const parts = [
    ...(unsent > 0 ? [formatCount(unsent, ANSWERS)] : []),
    ...(filesUnderway > 0 ? [formatCount(filesUnderway, FILES)] : []),
  ];
  return parts.join(' и ');
}

/** What is known of undelivered answers: count, stage, and time of the report. */
export interface LastContact {
  readonly stage: 'device' | 'sending' | 'server';
  readonly what: string;
  readonly rest: string;
}

/** The device's last report, or how long answers have been in transit; never a guess. */
export function describeLastContact(row: BoardRow, now: number, timeZone: string): LastContact {
  const count = missingOf(row);
  const reportedAt = row.unsent > 0 ? row.unsentAt : (row.unsentAt ?? row.lastSeenAt);
  const at = reportedAt === null ? '' : ` в ${formatClock(Date.parse(reportedAt), timeZone)}`;
  if (count === 0) {
    const rest =
      row.unsentAt === null ? 'что на устройстве, неизвестно' : `${at.trim()} всё было на сервере`;
    return { stage: row.unsentAt === null ? 'device' : 'server', what: '', rest };
  }
  const what = missingLabel(row);
  const contact = contactOf(row, now).kind;
  if (contact === 'fresh' || contact === 'quiet') {
    const since = row.unsentSince === null ? 0 : Math.max(0, now - Date.parse(row.unsentSince));
    const sent = plural(count, ['отправляется', 'отправляются', 'отправляются']);
    return { stage: 'sending', what, rest: `${sent} ${formatElapsed(since)}` };
  }
  const was = plural(count, ['был', 'было', 'было']);
  return { stage: 'device', what, rest: `${was} на устройстве${at}` };
}

/** «сдано 10:43», «не начато»: the label of an attempt's state on the board. */
export function boardStateLabel({ state, finishedAt }: BoardRow, timeZone: string): string {
  const at = finishedAt === null ? '' : ` ${formatClock(Date.parse(finishedAt), timeZone)}`;
  switch (state) {
    case 'notStarted':
      return 'не начато';
    case 'finished':
      return `сдано${at}`;
    case 'closed':
      return `закрыто${at}`;
    case 'timeOver':
      return 'время вышло';
    case 'running':
      return 'идёт';
  }
}

/** «нет связи 6 мин», «на связи». */
export function formatContact(row: BoardRow, now: number): string {
  const contact = contactOf(row, now);
  switch (contact.kind) {
    case 'none':
      return isInProgress(row) ? 'на связи не было' : '';
    case 'offline':
      return `нет связи ${formatElapsed(contact.ageMs)}`;
    case 'fresh':
    case 'quiet':
      return 'на связи';
  }
}
