import type { Answer } from '#contract/answers.ts';
import { isAnswered } from './answered.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { canonicalJson } from './canonical-json.ts';
import { JOIN_CODE_LENGTH, JOIN_CODE_SIGNS } from './join-codes.ts';

/** SHA-256 of a text in UTF-8. */
export type Sha256 = (text: string) => Uint8Array;

/** The first line of a receipt. Another version has another line. */
const FIRST_LINE = 'Квитанция exam-room 1';

/** The labels of a receipt's facts, in the order of its lines. */
const LABELS = {
  student: 'Ученик',
  test: 'Тест',
  attemptNumber: 'Попытка',
  attemptId: 'Номер попытки',
  questionsDigest: 'Вопросы SHA-256',
  answersCount: 'Ответов',
  answersDigest: 'Ответы SHA-256',
  points: 'Баллы',
  startedAt: 'Начало',
  deadline: 'Срок',
  finishedAt: 'Завершение',
  logLength: 'Записей в журнале',
  logDigest: 'Журнал SHA-256',
} as const;
const KEY_LABEL = 'Ключ';
const SIGNATURE_LABEL = 'Подпись';

type ReceiptField = keyof typeof LABELS;
const FIELDS = Object.keys(LABELS) as ReceiptField[];

/** What a receipt says. Times are ISO; digests are base64url. */
export type ReceiptFacts = Readonly<Record<ReceiptField, string>>;

/** A text with its signature in base64url. */
export interface SignedReceipt {
  readonly text: string;
  readonly keyId: string;
  readonly signature: string;
}

/** A receipt as read from a document. */
export interface ReadReceipt extends SignedReceipt {
  readonly facts: ReceiptFacts;
}

/** The bound of a document in characters, checked before it is read. */
export const MAX_RECEIPT_CHARACTERS = 8_000;

export const digestOf = (value: unknown, sha256: Sha256): string =>
  toBase64Url(sha256(canonicalJson(value)));

/** The number and digest of the answers that count, sorted by question. A cleared answer is none. */
export function digestAnswers(
  answers: readonly Answer[],
  sha256: Sha256,
): { count: number; digest: string } {
  const given = answers
    .filter((answer) => isAnswered(answer))
    .sort((a, b) => (a.questionId < b.questionId ? -1 : 1));
  return { count: given.length, digest: digestOf(given, sha256) };
}

/** A fact of which nothing is seen, as points that were not shown yet or are not all graded. */
export const NO_FACT = '—';

/** A name or title may contain line breaks; a fact is one line, and never empty: its end is trimmed when it is read. */
export const oneLine = (value: string): string =>
  value.replaceAll(/[\s\p{C}]+/gu, ' ').trim() || NO_FACT;

export const formatReceipt = (facts: ReceiptFacts): string =>
  [FIRST_LINE, ...FIELDS.map((field) => `${LABELS[field]}: ${oneLine(facts[field])}`)].join('\n');

/** Whether a receipt's text says these facts, of which none is its last line. */
export const saysFacts = (text: string, facts: Partial<ReceiptFacts>): boolean =>
  FIELDS.every((field) => {
    const value = facts[field];
    return value === undefined || text.includes(`\n${LABELS[field]}: ${oneLine(value)}\n`);
  });

/** The facts that may change after a receipt. */
export type ChangingFacts = Pick<ReceiptFacts, 'answersDigest' | 'points'>;

/** The same facts now. Null: points that the reader may not see. */
export type PresentFacts = Omit<ChangingFacts, 'points'> & { readonly points: string | null };

/** What changed since a receipt. Points are compared if it says them and the reader may see them. */
export function changesSince(
  held: ChangingFacts,
  present: PresentFacts,
): { comparesPoints: boolean; answers: boolean; points: boolean } {
  const comparesPoints = held.points !== NO_FACT && present.points !== null;
  return {
    comparesPoints,
    answers: held.answersDigest !== present.answersDigest,
    points: comparesPoints && held.points !== present.points,
  };
}

/** The first bytes of a digest as 8 signs of a join code, which people can read aloud. */
const shortSigns = (digest: Uint8Array): string =>
  Array.from(
    digest.subarray(0, JOIN_CODE_LENGTH),
    (byte) => JOIN_CODE_SIGNS[byte % JOIN_CODE_SIGNS.length],
  ).join('');

/** The code by which people compare receipts. It identifies, the signature proves. */
export const controlCode = (text: string, sha256: Sha256): string => shortSigns(sha256(text));

/** The short form of the log's digest in base64url, for comparing by eye; the whole one decides. */
export const shortLogDigest = (digest: string): string => shortSigns(fromBase64Url(digest));

/** The document that people store and check: the text, then key and signature. */
export const formatDocument = ({ text, keyId, signature }: SignedReceipt): string =>
  `${text}\n${KEY_LABEL}: ${keyId}\n${SIGNATURE_LABEL}: ${signature}\n`;

/** The value of a line with a label; null: another line. */
const valueOf = (line: string | undefined, label: string): string | null =>
  line?.startsWith(`${label}: `) === true ? line.slice(label.length + 2) : null;

/** Why a document is no receipt: it never was one, or lines of it are missing or changed. */
export type DocumentProblem = 'notReceipt' | 'damaged';

/** Reads a document; its signature is checked apart. Line ends and blank edges do not matter. */
export function readDocument(document: string): ReadReceipt | DocumentProblem {
  if (document.length > MAX_RECEIPT_CHARACTERS) return 'notReceipt';
  const lines = document
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  if (lines[0] !== FIRST_LINE) return 'notReceipt';
  if (lines.length !== FIELDS.length + 3) return 'damaged';
  const values = FIELDS.map((field, index) => valueOf(lines[index + 1], LABELS[field]));
  const keyId = valueOf(lines.at(-2), KEY_LABEL);
  const signature = valueOf(lines.at(-1), SIGNATURE_LABEL);
  if (keyId === null || signature === null || values.includes(null)) return 'damaged';
  const facts = Object.fromEntries(FIELDS.map((field, index) => [field, values[index]]));
  return { text: lines.slice(0, -2).join('\n'), facts: facts as ReceiptFacts, keyId, signature };
}

/** A document as the part of an address after `#`: its values alone, so that the QR code stays small. */
export function packDocument(document: string): string {
  const values = document
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.slice(line.indexOf(': ') + 2));
  return toBase64Url(new TextEncoder().encode(values.join('\n')));
}

/** The document of such a part of an address; null: it is none. */
export function unpackDocument(packed: string): string | null {
  if (packed.length > 2 * MAX_RECEIPT_CHARACTERS) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(packed));
    const labels = [...FIELDS.map((field) => LABELS[field]), KEY_LABEL, SIGNATURE_LABEL];
    const lines = text.split('\n').map((value, index) => `${labels[index] ?? ''}: ${value}`);
    return `${[FIRST_LINE, ...lines].join('\n')}\n`;
  } catch {
    return null;
  }
}

/** The digest before the first entry. */
export const EMPTY_LOG: Uint8Array = new Uint8Array(32);

/** Appending: SHA-256 of the previous digest and the receipt's. */
export const appendDigest = (
  previous: Uint8Array,
  receiptDigest: Uint8Array,
  hash: (bytes: Uint8Array) => Uint8Array,
): Uint8Array => hash(Uint8Array.from([...previous, ...receiptDigest]));
