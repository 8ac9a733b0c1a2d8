import * as v from 'valibot';
import { bringHandover, HandoverFile, type ReceiptsFile } from '#contract/handover.ts';
import { RECEIPTS_FORMAT } from '#contract/limits.ts';
import type { ReplyOf } from '#contract/route.ts';
import { readBase64 } from '#domain/base64url.ts';
import { ANSWERS, FILES, formatCount, type Forms, plural } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';

/** Answers that devices hand over encrypted (ADR 17). */

export interface GivenHandover {
  readonly owner: string;
  /** Null: the part is damaged. */
  readonly parts: readonly (Uint8Array<ArrayBuffer> | null)[];
}

/** Null: the text is no such file, or nothing of it is left. */
export function readHandover(text: string): GivenHandover | null {
  try {
    const file = v.parse(HandoverFile, JSON.parse(text.replace(/^\uFEFF/, '')));
    const parts = file.parts.map(readBase64);
    return parts.some((part) => part !== null) ? { owner: file.owner, parts } : null;
  } catch {
    return null;
  }
}

/** Enough for a photo over a school's network. */
const PART_MS = 60_000;

export type HandoverSummary = Omit<ReplyOf<typeof bringHandover>, 'receipts'>;

/** What was accepted, and the receipts of each part. */
export interface BroughtHandover {
  readonly summary: HandoverSummary;
  readonly receipts: readonly string[];
}

/** Brings in one part. Throws `ApiFailure`. */
export const bringPart = (owner: string, bytes: Uint8Array<ArrayBuffer>) =>
  call(bringHandover, { params: { owner }, bytes }, { timeoutMs: PART_MS });

type Counts = Omit<HandoverSummary, 'userName' | 'problems'>;
const NOTHING: Counts = {
  begins: 0,
  heldBegins: 0,
  answers: 0,
  held: 0,
  finishes: 0,
  heldFinishes: 0,
  stray: 0,
  strayFinishes: 0,
  files: 0,
  unmade: 0,
};
const COUNTS = Object.keys(NOTHING) as (keyof Counts)[];

/** What the teacher reads about damaged parts, by their numbers. */
function describeDamaged(damaged: readonly number[], all: number): string {
  const numbers = new Intl.ListFormat('ru').format(damaged.map(String));
  const parts = damaged.length === 1 ? 'Часть' : 'Части';
  const harm = damaged.length === 1 ? 'повреждена и не загружена' : 'повреждены и не загружены';
  return `${parts} ${numbers} из ${all} ${harm}. Попросите ученика передать ответы ещё раз`;
}

/** Null: the part is damaged. A failure: the server cannot read it, and the next one may be sound. */
async function bringNext({ owner }: GivenHandover, part: GivenHandover['parts'][number]) {
  if (part === null) return null;
  return bringPart(owner, part).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.code === 'HANDOVER_UNREADABLE') return error;
    throw error;
  });
}

/**
 * Brings in a whole handover, in the order of its parts. A damaged one stops no other. A repeat changes nothing, so after
 * a failure it is begun anew. Throws `ApiFailure`, also when no part can be read.
 */
export async function bringAll(
  given: GivenHandover,
  onPart: (done: number) => void,
): Promise<BroughtHandover> {
  const summary = { userName: '', ...NOTHING };
  const problems = new Set<string>();
  const receipts: string[] = [];
  const damaged: number[] = [];
  let unreadable: ApiFailure | null = null;
  for (const [index, part] of given.parts.entries()) {
    const reply = await bringNext(given, part);
    if (reply === null || reply instanceof ApiFailure) {
      damaged.push(index + 1);
      unreadable ??= reply;
      continue;
    }
    summary.userName = reply.userName;
    for (const key of COUNTS) summary[key] += reply[key];
    for (const problem of reply.problems) problems.add(problem);
    receipts.push(reply.receipts);
    onPart(receipts.length);
  }
  if (receipts.length === 0 && unreadable) throw unreadable;
  if (damaged.length > 0) problems.add(describeDamaged(damaged, given.parts.length));
  return { summary: { ...summary, problems: [...problems] }, receipts };
}

/** The file with the receipts for the student's device. */
export function formatReceiptsFile(receipts: readonly string[]): string {
  const file: ReceiptsFile = {
    format: RECEIPTS_FORMAT,
    version: 1,
    receipts: [...receipts],
  };
  return JSON.stringify(file);
}

const UNMADE_MESSAGE = ' Сервер принял не всё. Повторите: остальное дойдёт, и ничего не удвоится.';

const WITHOUT_RECEIPT: readonly (keyof Counts)[] = ['files', 'unmade'];

/** Whether the student's device learns something from the receipts. */
export const hasReceipts = (summary: HandoverSummary): boolean =>
  COUNTS.some((key) => summary[key] > 0 && !WITHOUT_RECEIPT.includes(key));

const UNSETTLED: readonly (keyof Counts)[] = [
  'heldBegins',
  'held',
  'heldFinishes',
  'stray',
  'strayFinishes',
  'unmade',
];

/** Whether something was accepted, and nothing is left to do or to decide. */
export const isAllAccepted = (summary: HandoverSummary): boolean =>
  hasReceipts(summary) &&
  UNSETTLED.every((key) => summary[key] === 0) &&
  summary.problems.length === 0;

/** One counted thing that waits for the teacher; several listed ones take the plural. */
export const WAIT: Forms = ['ждёт', 'ждут', 'ждут'];

/** Agrees with the first thing of a list; «начало» and «завершение» take the last form. */
const ACCEPTED: Forms = ['принят', 'принято', 'принято'];

const listOf = (...parts: (string | false)[]): string[] => parts.filter((part) => part !== false);

/** «Анна Кузнецова: принято 12 ответов, завершение теста.» */
export function formatHandover(summary: HandoverSummary): string {
  const { userName, begins, heldBegins, answers, held, finishes, heldFinishes, files } = summary;
  const { stray, strayFinishes } = summary;
  const parts = listOf(
    begins > 0 && 'начало теста',
    answers > 0 && formatCount(answers, ANSWERS),
    files > 0 && formatCount(files, FILES),
    finishes > 0 && 'завершение теста',
  );
  const waiting = listOf(
    heldBegins > 0 && 'начало теста',
    held > 0 && formatCount(held, ANSWERS),
    heldFinishes > 0 && 'завершение теста',
  );
  const stored = listOf(
    stray > 0 && formatCount(stray, ANSWERS),
    strayFinishes > 0 && 'завершение теста',
  );
  const wait = waiting.length > 1 ? 'ждут' : plural(held || 1, WAIT);
  const accepted = plural(begins > 0 ? 0 : answers || files, ACCEPTED);
  const outcomes = listOf(
    parts.length > 0 && `${accepted} ${parts.join(', ')}`,
    waiting.length > 0 && `${wait} вашего решения под «Поздние»: ${waiting.join(', ')}`,
    stored.length > 0 &&
      `сохранено${stray > 0 ? ' под «Не дошло»' : ''}, но попытки на сервере нет: ${stored.join(', ')}`,
    parts.length + waiting.length + stored.length === 0 && 'ничего не принято',
  );
  const refused = summary.problems.map((problem) => ` ${problem}.`).join('');
  const repeat = summary.unmade > 0 ? UNMADE_MESSAGE : '';
  return `${userName}: ${outcomes.join('; ')}.${refused}${repeat}`;
}
