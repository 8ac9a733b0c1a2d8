import type { AuditAct } from '#contract/admin.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { actOn, recordAct, startOfHour } from '#server/admin/audit.ts';
import { type Client, execute, one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import type { RouteCall } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { loggedNetworkOf } from './networks.ts';

/** Maximum rows per hour for sign-ins with unknown e-mails, each for one address. */
export const UNKNOWN_ROWS_AN_HOUR = 100;

type SignInAct = Extract<AuditAct, 'signedIn' | 'userRegistered'>;

interface LoggedSignIn {
  readonly userId: string;
  readonly address: string;
  readonly now: Date;
  /** How the second step was proven; absent: the password alone. */
  readonly factor?: 'totp' | 'recovery' | 'passkey';
}

/** Logs a sign-in with its factors; within the transaction that opens the session. */
export function recordSignIn(
  client: Client,
  deps: Pick<Deps, 'newId'>,
  { userId, address, now, factor }: LoggedSignIn,
  act: SignInAct = 'signedIn',
): Promise<void> {
  const network = loggedNetworkOf(address);
  const signIn = {
    actorId: userId,
    act,
    ...(factor !== undefined && { details: { factor } }),
    ...(network !== null && { address: network }),
  };
  return recordAct(client, deps, actOn('user', userId, signIn), now);
}

interface RefusedSignIn {
  readonly act: 'signInFailed' | 'signInLocked';
  readonly details?: Readonly<Record<string, string>>;
}

/** The log entry of a refused sign-in; other refusals are not logged. */
const REFUSED: Partial<Record<ErrorCode, RefusedSignIn>> = {
  BAD_CREDENTIALS: { act: 'signInFailed' },
  ACCOUNT_BLOCKED: { act: 'signInFailed', details: { reason: 'blocked' } },
  TOO_MANY_LOGINS: { act: 'signInLocked' },
  WRONG_FACTOR: { act: 'signInFailed', details: { reason: 'factor' } },
  FACTOR_CODES_STOPPED: { act: 'signInFailed', details: { reason: 'stopped' } },
};

/**
 * One row per hour for an account, one for an address that tries unknown e-mails, and one for all further addresses.
 * The typed e-mail is not stored: it may be a password in the wrong field. $1 e-mail, $2 id, $3 now, $4 act, $5
 * details, $6 address, $7 act and hour, $8 rows for unknown e-mails, $9 hour. Calls refused without a check are not
 * counted, so that a flood of them does not become a flood of writes.
 */
const GATHER = {
  name: 'gather-refused-sign-ins',
  text: `
    with known as (
      select id from users where lower(email) = $1 and erased_at is null
    ), wanted as (
      select $7 || '/' || coalesce((select id::text from known), $6, '') as gathers
    ), place as (
      select case
        when exists (select 1 from known)
          or exists (select 1 from audit_log l where l.gathers = wanted.gathers)
          or (select count(*) from audit_log l where l.at >= $9 and l.gathers is not null
              and l.person_id is null and l.act in ('signInFailed', 'signInLocked')) < $8
        then wanted.gathers else $7 || '/others' end as gathers
      from wanted
    )
    insert into audit_log as l (id, at, last_at, act, subject_kind, subject_id, person_id, details,
      address, gathers)
    select $2, $3, $3, $4, case when known.id is not null then 'user' end, known.id, known.id, $5::jsonb,
      case when place.gathers not like '%/others' then $6 end, place.gathers
    from place left join known on true
    on conflict (gathers) where gathers is not null do update set
      times = l.times + case when l.act = 'signInFailed' then 1 else 0 end,
      last_at = greatest(l.last_at, excluded.last_at),
      details = case when l.address is distinct from excluded.address
        then l.details || '{"others": 1}' else l.details end
    where l.act = 'signInFailed' or l.last_at < excluded.last_at - interval '1 minute'`,
};

async function recordRefused(
  { pool, newId }: Pick<Deps, 'pool' | 'newId'>,
  { act, details = {} }: RefusedSignIn,
  { email, address, now }: { email: string; address: string; now: Date },
): Promise<void> {
  const hour = startOfHour(now);
  const gathers = [act, ...Object.values(details), hour.toISOString()].join('/');
  await execute(pool, GATHER, [
    email.toLowerCase(),
    newId(),
    now,
    act,
    JSON.stringify(details),
    loggedNetworkOf(address),
    gathers,
    UNKNOWN_ROWS_AN_HOUR,
    hour,
  ]);
}

/** Logs a refused second step after a right password. */
export async function recordRefusedStep(
  deps: Deps,
  error: unknown,
  { userId, address, now }: { userId: string; address: string; now: Date },
): Promise<void> {
  const refused = error instanceof Refusal ? REFUSED[error.code] : undefined;
  const account = await one<{ email: string }>(deps.pool, 'select email from users where id = $1', [
    userId,
  ]);
  if (refused && account) await recordRefused(deps, refused, { ...account, address, now });
}

type SignInCall = Pick<RouteCall<Route>, 'address' | 'now'> & { body: { email: string } };

/** Wraps a sign-in handler so that its refusals are logged before they are sent. */
export function withRefusalsRecorded<C extends SignInCall, R>(
  deps: Deps,
  signIn: (call: C) => Promise<R>,
): (call: C) => Promise<R> {
  return async (call) => {
    try {
      return await signIn(call);
    } catch (error) {
      const refused = error instanceof Refusal ? REFUSED[error.code] : undefined;
      const { address, now, body } = call;
      if (refused) await recordRefused(deps, refused, { email: body.email, address, now });
      throw error;
    }
  };
}
