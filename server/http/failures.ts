import type { FastifyError } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { Refusal } from './refusal.ts';

const RETRY_AFTER_SECONDS = 5;

/** Node's error codes for a database, socket or disk that is unavailable or full. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
]);

/** SQLSTATEs for which a retry may succeed; a whole class by its first two characters. */
const HEALS = new Set(['25006', '55P03', '57014', '57P01', '57P02', '57P03', '57P05', '58030']);
const HEALING_CLASSES = new Set(['08', '40', '53']);

/** Errors that pg itself throws carry a message and no code. */
const AWAY_MESSAGE =
  /timeout exceeded when trying to connect|connection terminated|connection error and is not queryable|query read timeout|after calling end on the pool|connection timeout/i;

/** SQLSTATE classes of values that a column cannot hold: the client sent them. */
const REFUSED_VALUES = new Set(['22', '54']);

const FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
};

/** Foreign keys to accounts: only an erasure removes an account after its call was authenticated. */
const OF_ACCOUNT = /_(?:user_id|owner_id|actor_id|updated_by|added_by|graded_by|decided_by)_fkey$/;
const FOREIGN_KEY_VIOLATION = '23503';

interface CodedError {
  code?: unknown;
  constraint?: unknown;
  syscall?: unknown;
  message?: unknown;
  cause?: unknown;
}

function isUnavailable({ code, constraint, syscall, message }: CodedError): boolean {
  if (typeof code === 'string') {
    // The next call will be answered as not signed in.
    if (code === FOREIGN_KEY_VIOLATION)
      return typeof constraint === 'string' && OF_ACCOUNT.test(constraint);
    if (AWAY.has(code) || HEALS.has(code)) return true;
    // A missing Unix socket.
    if (code === 'ENOENT' && syscall === 'connect') return true;
    if (code.length === 5 && HEALING_CLASSES.has(code.slice(0, 2))) return true;
  }
  return typeof message === 'string' && AWAY_MESSAGE.test(message);
}

/** Work done item by item, such as closing attempts, fails as an AggregateError: every cause must be transient. */
const isUnavailableTogether = (error: unknown): boolean =>
  error instanceof AggregateError &&
  error.errors.length > 0 &&
  error.errors.every((each) => refusalOf(each).code === 'UNAVAILABLE');

const isRefusedValue = ({ code }: CodedError) =>
  typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && REFUSED_VALUES.has(code.slice(0, 2));

const ofFramework = (error: Partial<FastifyError>): Refusal | null => {
  const known = FRAMEWORK[error.code ?? ''];
  if (known) return new Refusal(known);
  const isFramework = error.code?.startsWith('FST_') === true;
  const status = error.statusCode ?? 500;
  return isFramework && status >= 400 && status < 500 ? new Refusal('BAD_REQUEST') : null;
};

/** Maps a failure to its wire code. Everything unknown is INTERNAL and reveals nothing. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (typeof error !== 'object' || error === null) return new Refusal('INTERNAL');
  const fromFramework = ofFramework(error);
  if (fromFramework) return fromFramework;
  const chain: CodedError[] = [error];
  const { cause } = error as CodedError;
  if (typeof cause === 'object' && cause !== null) chain.push(cause);
  if (chain.some(isUnavailable) || isUnavailableTogether(error))
    return new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  if (chain.some(isRefusedValue)) return new Refusal('BAD_REQUEST');
  return new Refusal('INTERNAL');
}
