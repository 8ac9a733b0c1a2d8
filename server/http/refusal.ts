import { ERRORS, type ErrorCode } from '#contract/errors.ts';

export interface RefusalOptions {
  details?: unknown;
  /** Russian; the code's own words when absent. */
  message?: string;
  retryAfterSeconds?: number;
}

/** A refusal with a code of the wire; it leaves as the one error shape. */
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

export interface FieldWord {
  field: string;
  message: string;
}

/** 400 VALIDATION with the fields that are wrong. */
export function invalid(fields: readonly FieldWord[]): Refusal {
  return new Refusal('VALIDATION', { details: { fields } });
}
