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

/** 400 VALIDATION with the first 50 invalid fields. */
export function invalid(fields: readonly FieldMessage[]): Refusal {
  return new Refusal('VALIDATION', { details: { fields: fields.slice(0, MAX_ISSUES) } });
}
