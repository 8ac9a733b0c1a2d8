import { ROLE } from '#contract/auth.ts';
import type { DeviceReadiness, ReadinessReport, StudentReadiness } from '#contract/readiness.ts';
import { isReady } from '#domain/readiness.ts';
import { type AuthenticatedUser, lockCaller } from '#server/auth/caller.ts';
import { nameKey } from '#server/db/name-order.ts';
import { execute, one, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readableTest } from '#server/tests/access.ts';
import { ASSIGNED, GROUP_NAMES } from '#server/tests/people.ts';
import { refuseOffer } from './make-offer.ts';
import { studentCodeId } from './start-code.ts';

/** A browser without lasting storage is another device at each visit: the oldest report of a student is replaced. */
const MAX_DEVICES = 8;

const STORE = `insert into readiness_reports
    (test_id, user_id, device_id, problems, app_version, reported_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (test_id, user_id, device_id)
  do update set problems = excluded.problems, app_version = excluded.app_version,
    reported_at = excluded.reported_at`;

const DELETE_OLDEST = `delete from readiness_reports
  where test_id = $1 and user_id = $2 and device_id in (
    select device_id from readiness_reports where test_id = $1 and user_id = $2
    order by device_id = $3 desc, reported_at desc, device_id offset ${MAX_DEVICES})`;

/** @throws {Refusal} unless the test may begin without a network and is for this student */
export async function requireTaker(
  db: Client,
  caller: AuthenticatedUser,
  testId: string,
  now: Date,
): Promise<void> {
  const test = await readableTest(db, caller, testId);
  if (!test) throw new Refusal('NOT_FOUND');
  refuseOffer(test, now);
}

/** Stores what the caller's device reports, in the place of its last report. */
export function storeReadiness(
  deps: Deps,
  {
    caller,
    testId,
    report,
    now,
  }: {
    caller: AuthenticatedUser;
    testId: string;
    report: ReadinessReport;
    now: Date;
  },
): Promise<void> {
  const { userId } = caller;
  const problems = [...new Set(report.problems)];
  return transaction(deps.pool, async (client) => {
    await lockCaller(client, userId);
    await requireTaker(client, caller, testId, now);
    await execute(client, STORE, [
      testId,
      userId,
      report.deviceId,
      problems,
      report.appVersion,
      now,
    ]);
    await execute(client, DELETE_OLDEST, [testId, userId, report.deviceId]);
  });
}

interface Row {
  readonly userId: string;
  readonly userName: string;
  readonly groups: string[];
  readonly begun: boolean;
  readonly offerMadeAt: Date | null;
  readonly offerCurrent: boolean;
  /** Times as text, since JSON has no other. */
  readonly devices: Omit<DeviceReadiness, 'ready'>[];
  readonly lastSeenAt: Date | null;
}

/** The students of test $1: assigned ones, and those with a report or an attempt. */
const LIST = {
  name: 'list-readiness',
  text: `
with reports as materialized (
  select user_id, max(reported_at) as last_at,
    jsonb_agg(jsonb_build_object('problems', problems, 'reportedAt', reported_at,
      'appVersion', app_version) order by reported_at desc, device_id) as devices
  from readiness_reports where test_id = $1 group by user_id
), begun as materialized (
  select x.user_id, max(s.last_heard_at) as last_at
  from attempts x left join streams s on s.attempt_id = x.id
  where x.test_id = $1 and x.deleted_at is null group by x.user_id
), people as (${ASSIGNED}
  union select user_id from reports
  union select user_id from begun
), taught as (${GROUP_NAMES}
)
select u.id as "userId", u.user_name as "userName", coalesce(taught.names, '{}') as groups,
  begun.user_id is not null as begun, o.made_at as "offerMadeAt",
  coalesce(
    o.replaced_at is null and o.source_id = t.content_id and o.code_id = c.id
      and o.code_version = c.version,
    false) as "offerCurrent",
  coalesce(reports.devices, '[]') as devices,
  greatest(reports.last_at, begun.last_at) as "lastSeenAt"
from people
  join users u on u.id = people.user_id
  join tests t on t.id = $1
  left join taught on taught.user_id = u.id
  left join reports on reports.user_id = u.id
  left join begun on begun.user_id = u.id
  left join lateral (
    -- a new code replaces it before the device has the next one
    select made_at, source_id, code_id, code_version, replaced_at from offers
    where test_id = $1 and user_id = u.id order by made_at desc, id desc limit 1
  ) o on true
  left join start_codes c on c.id = ${studentCodeId('$1', 'u.id')}
where u.role = ${ROLE.student}
order by ${nameKey('u.user_name')}, u.id`,
};

const iso = (at: Date | null) => at?.toISOString() ?? null;

const deviceOf = ({
  problems,
  reportedAt,
  appVersion,
}: Row['devices'][number]): DeviceReadiness => ({
  ready: isReady(problems),
  problems,
  reportedAt: new Date(reportedAt).toISOString(),
  appVersion,
});

const studentOf = ({ offerMadeAt, lastSeenAt, devices, ...row }: Row): StudentReadiness => ({
  ...row,
  offerMadeAt: iso(offerMadeAt),
  // Stable: within both parts the newest stays first.
  devices: devices.map(deviceOf).toSorted((one, other) => Number(other.ready) - Number(one.ready)),
  lastSeenAt: iso(lastSeenAt),
});

/** The students of a test with what their devices reported. */
export async function readinessOf(db: Client, testId: string): Promise<StudentReadiness[]> {
  const test = await one<{ isOn: boolean }>(
    db,
    'select offline_start as "isOn" from tests where id = $1',
    [testId],
  );
  if (!test) throw new Refusal('NOT_FOUND');
  if (!test.isOn) throw new Refusal('OFFLINE_START_OFF');
  return (await rows<Row>(db, LIST, [testId])).map(studentOf);
}
