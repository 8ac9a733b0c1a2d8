import type { ErrorCode } from '#contract/errors.ts';
import type { Receipt } from '#contract/passing.ts';

/** The result of an operation. A refusal may have been journalled, so it is a value, not an exception. */
export type AnswerVerdict =
  | { readonly kind: 'receipt'; readonly receipt: Receipt; readonly activeStream: string }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly details?: unknown;
      /** Null: there is no attempt to own. */
      readonly activeStream: string | null;
    };

export const refused = (
  code: ErrorCode,
  activeStream: string | null,
  details?: unknown,
): AnswerVerdict => ({
  kind: 'refused',
  code,
  activeStream,
  details,
});

/** Thrown inside a transaction that has locked the attempt in share mode and needs it exclusively. */
export class NeedsExclusiveLock extends Error {}

/** Thrown inside a transaction to roll it back and still return a verdict. */
export class RollbackWithVerdict extends Error {
  readonly verdict: AnswerVerdict;

  constructor(verdict: AnswerVerdict) {
    super('undone');
    this.verdict = verdict;
  }
}
