import * as v from 'valibot';
import { bringHandover, HandoverFile, type ReceiptsFile } from '#contract/handover.ts';
import { RECEIPTS_FORMAT } from '#contract/limits.ts';
import type { ReplyOf } from '#contract/route.ts';
import { fromBase64 } from '#domain/base64url.ts';
import { ANSWERS, FILES, formatCount } from '#domain/format.ts';
import { call } from '#app/api/call.ts';

/** Answers that devices hand over encrypted (ADR 17). */

export interface GivenHandover {
  readonly owner: string;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

/** Null: the text is no such file, or a damaged one. */
export function readHandover(text: string): GivenHandover | null {
  try {
    const { owner, parts } = v.parse(HandoverFile, JSON.parse(text.replace(/^\uFEFF/, '')));
    return { owner, parts: parts.map(fromBase64) };
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

const COUNTS = ['begins', 'answers', 'held', 'finishes', 'files', 'unmade'] as const;
const NOTHING = { userName: '', begins: 0, answers: 0, held: 0, finishes: 0, files: 0, unmade: 0 };

/**
 * Brings in a whole handover, in the order of its parts. A repeat changes nothing, so after a failure it is begun anew.
 * Throws `ApiFailure`.
 */
export async function bringAll(
  { owner, parts }: GivenHandover,
  onPart: (done: number) => void,
): Promise<BroughtHandover> {
  const summary = { ...NOTHING };
  const problems = new Set<string>();
  const receipts: string[] = [];
  for (const [index, part] of parts.entries()) {
    const reply = await bringPart(owner, part);
    summary.userName = reply.userName;
    for (const key of COUNTS) summary[key] += reply[key];
    for (const problem of reply.problems) problems.add(problem);
    receipts.push(reply.receipts);
    onPart(index + 1);
  }
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

/** «Анна Кузнецова: принято 12 ответов, завершение теста.» */
export function formatHandover(summary: HandoverSummary): string {
  const { userName, begins, answers, held, finishes, files, problems, unmade } = summary;
  const parts = [
    begins > 0 && 'начало теста',
    answers > 0 && formatCount(answers, ANSWERS),
    files > 0 && formatCount(files, FILES),
    finishes > 0 && 'завершение теста',
  ].filter((part) => part !== false);
  const waiting = `ждут вашего решения под «Поздние»: ${formatCount(held, ANSWERS)}`;
  const outcomes = [
    parts.length > 0 && `принято ${parts.join(', ')}`,
    held > 0 && waiting,
    parts.length === 0 && held === 0 && 'ничего не принято',
  ].filter((part) => part !== false);
  const refused = problems.map((problem) => ` ${problem}.`).join('');
  const repeat = unmade > 0 ? UNMADE_MESSAGE : '';
  return `${userName}: ${outcomes.join('; ')}.${refused}${repeat}`;
}
