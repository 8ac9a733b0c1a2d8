import { MAX_ISSUES } from '#contract/bounded-list.ts';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';

export interface RefusalOptions {
  details?: unknown;
  /** Russian; the code's default message when absent. */
  message?: string;
  retryAfterSeconds?: number;
}

/** A refusal with a wire code; it is sent as the uniform error body. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? ERRORS[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export interface FieldMessage {
  field: string;
  message: string;
}

/** Names of fields may come from the body, as in `questions.0.<name>`. */
const MAX_FIELD_CHARACTERS = 100;

/** The name of a field in a length that fits a reply. A control character would take six in JSON. */
export const boundFieldName = (name: string): string =>
  name.slice(0, MAX_FIELD_CHARACTERS).replaceAll(/\p{Cc}/gu, '?');

/** 400 VALIDATION with the first 50 invalid fields. */
export function invalid(fields: readonly FieldMessage[]): Refusal {
  const bounded = fields
    .slice(0, MAX_ISSUES)
    .map(({ field, message }) => ({ field: boundFieldName(field), message }));
  return new Refusal('VALIDATION', { details: { fields: bounded } });
}
