import type { BoardRow } from '#contract/board.ts';
import { formatClock, formatElapsed } from '#domain/format-time.ts';
import { ANSWERS, formatCount, plural, type Forms } from '#domain/format.ts';
import { contactOf, isUnderWay, missingOf, type Counts } from './rules.ts';

export const PUPILS: Forms = ['ученик', 'ученика', 'учеников'];
const OF_PUPILS: Forms = ['ученика', 'учеников', 'учеников'];
const FILES: Forms = ['файл', 'файла', 'файлов'];
export const DEVICES: Forms = ['устройство', 'устройства', 'устройств'];

/** «24 ученикам». */
const TO_PUPILS: Forms = ['ученику', 'ученикам', 'ученикам'];
export const toPupils = (count: number): string => formatCount(count, TO_PUPILS);

/** The words of the counts, each after its figure. */
export const countWords = {
  writing: (n: number) => plural(n, ['пишет', 'пишут', 'пишут']),
  finished: (n: number) => plural(n, ['сдал', 'сдали', 'сдали']),
  notStarted: (n: number) => plural(n, ['не начал', 'не начали', 'не начали']),
  offline: () => 'нет связи',
  timeOver: () => 'время вышло',
  closed: (n: number) => plural(n, ['закрыт сервером', 'закрыты сервером', 'закрыты сервером']),
  missing: (n: number, pupils: number) =>
    n === 0
      ? 'неотправленных'
      : `${plural(n, ['неотправленный', 'неотправленных', 'неотправленных'])} у ${formatCount(pupils, OF_PUPILS)}`,
} as const;

/** All counts as one sentence, for those who hear the page. */
export function spokenCounts(counts: Counts): string {
  const { writing, finished, notStarted, offline, timeOver, closed, missing } = counts;
  const parts = [
    `${writing} ${countWords.writing(writing)}`,
    `${finished} ${countWords.finished(finished)}`,
    `${notStarted} ${countWords.notStarted(notStarted)}`,
    `без связи ${offline}`,
    ...(timeOver > 0 ? [`время вышло у ${timeOver}`] : []),
    ...(closed > 0 ? [`${closed} ${countWords.closed(closed)}`] : []),
    `${missing} ${countWords.missing(missing, counts.missingPupils)}`,
  ];
  return `${parts.join(', ')}.`;
}

/** «2 ответа и 1 файл»; empty where nothing is missing. */
export function missingWords({ unsent, filesUnderway }: BoardRow): string {
  const parts = [
    ...(unsent > 0 ? [formatCount(unsent, ANSWERS)] : []),
    ...(filesUnderway > 0 ? [formatCount(filesUnderway, FILES)] : []),
  ];
  return parts.join(' и ');
}

/** What is known of what is missing: a figure, where it was, and when that was said. */
export interface LastWord {
  readonly stage: 'device' | 'sending' | 'server';
  readonly what: string;
  readonly rest: string;
}

/** The device's last word, or how long something has been on its way; never a guess. */
export function lastWord(row: BoardRow, now: number, timeZone: string): LastWord {
  const count = missingOf(row);
  const saidAt = row.unsent > 0 ? row.unsentAt : (row.unsentAt ?? row.lastSeenAt);
  const at = saidAt === null ? '' : ` в ${formatClock(Date.parse(saidAt), timeZone)}`;
  if (count === 0) {
    const rest =
      row.unsentAt === null ? 'что на устройстве, неизвестно' : `${at.trim()} всё было на сервере`;
    return { stage: row.unsentAt === null ? 'device' : 'server', what: '', rest };
  }
  const what = missingWords(row);
  const contact = contactOf(row, now).kind;
  if (contact === 'fresh' || contact === 'quiet') {
    const since = row.unsentSince === null ? 0 : Math.max(0, now - Date.parse(row.unsentSince));
    const sent = plural(count, ['отправляется', 'отправляются', 'отправляются']);
    return { stage: 'sending', what, rest: `${sent} ${formatElapsed(since)}` };
  }
  const was = plural(count, ['был', 'было', 'было']);
  return { stage: 'device', what, rest: `${was} на устройстве${at}` };
}

/** «сдано 10:43», «не начато»: what an attempt that nobody writes is called on the board. */
export function stateWords({ state, finishedAt }: BoardRow, timeZone: string): string {
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
export function contactWords(row: BoardRow, now: number): string {
  const contact = contactOf(row, now);
  switch (contact.kind) {
    case 'none':
      return isUnderWay(row) ? 'на связи не было' : '';
    case 'offline':
      return `нет связи ${formatElapsed(contact.ageMs)}`;
    case 'fresh':
    case 'quiet':
      return 'на связи';
  }
}
