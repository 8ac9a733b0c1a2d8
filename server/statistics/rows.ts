import { ROLE } from '#contract/auth.ts';
import type { StatisticsOrder } from '#contract/orders.ts';
import type { StatisticsRow } from '#contract/statistics.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import { nameKey } from '#server/db/name-order.ts';
import { rows, type Client } from '#server/db/query.ts';
import { countTrials, inGroup, isTaughtGroup } from '#server/grading/taught-test.ts';
import {
  CHOSEN_ATTEMPTS,
  chosenParameters,
  type AttemptChoice,
  type AnalysedTest,
} from './chosen.ts';

/** Names by surname as written; missing values last in either direction. */
const ORDERS: Readonly<Record<StatisticsOrder, string>> = {
  name: nameKey('user_name'),
  points: 'points',
  finished: 'ended_at',
  used: 'used',
};

const orderBy = (order: StatisticsOrder, descending: boolean) =>
  `${ORDERS[order]} ${descending ? 'desc' : 'asc'} nulls last, ${ORDERS.name}, number, id`;

export interface RowsQuery extends AttemptChoice {
  readonly searchQuery: string;
  readonly sortOrder: StatisticsOrder;
  readonly descending: boolean;
  /** Assigned students without an attempt, too. */
  readonly unstarted: boolean;
  readonly page: number;
  readonly pageSize: number;
}

interface Person {
  readonly user_id: string;
  readonly user_name: string;
  readonly max_points: number;
  readonly groups: string[];
}

interface Attempt extends Person {
  readonly id: string;
  readonly number: number;
  readonly started_at: Date;
  readonly deadline: Date;
  readonly ended: 'finished' | 'closed' | null;
  readonly ended_at: Date | null;
  readonly points: number | null;
  readonly graded_max: number | null;
  readonly used: number | null;
  readonly counted: boolean;
  readonly trial: boolean;
  readonly held: number;
  readonly points_without_late: number | null;
  readonly late: number;
}

type Found = { readonly total: number; readonly unstarted: number } & (
  | Attempt
  | (Person & { readonly id: null })
  /** The page has no rows. */
  | { readonly user_id: null }
);

const personOf = (test: AnalysedTest, found: Person) => ({
  testName: test.name,
  testPoints: found.max_points,
  userId: found.user_id,
  userName: found.user_name,
  groups: found.groups,
});

const unstartedRow = (test: AnalysedTest, found: Person): StatisticsRow => ({
  ...personOf(test, found),
  userTestId: null,
  points: null,
  attemptNumber: null,
  state: 0,
  end: null,
  startedAt: null,
  finishedAt: null,
  usedSeconds: null,
  pendingReview: false,
  held: 0,
  receivedLate: 0,
  pointsWithoutLate: null,
  counted: false,
  trial: false,
});

function attemptRow(test: AnalysedTest, found: Attempt, now: Date): StatisticsRow {
  const isOver = found.ended !== null || found.deadline <= now;
  return {
    ...personOf(test, found),
    userTestId: found.id,
    points: found.ended === null ? null : found.points,
    attemptNumber: found.number,
    state: isOver ? 2 : 1,
    end: found.ended,
    startedAt: found.started_at.toISOString(),
    finishedAt: found.ended_at?.toISOString() ?? null,
    usedSeconds: found.used,
    pendingReview: found.ended !== null && found.graded_max !== found.max_points,
    held: found.held,
    receivedLate: found.late,
    pointsWithoutLate: found.ended === null || found.late === 0 ? null : found.points_without_late,
    counted: found.counted && !found.trial,
    trial: found.trial,
  };
}

/** Assigned students without an attempt, in the columns of the attempts; where $10. */
const UNSTARTED = `
select null::uuid as id, u.id as user_id, u.user_name, $11::numeric as max_points, null as number,
  null as started_at, null as deadline, null as ended, null as ended_at, null as points,
  null as points_without_late, null as graded_max, false as trial, null as used, false as counted
from users u
where $10::boolean and u.role = ${ROLE.student} and u.erased_at is null and ${inGroup('u.id', '$3')}
  and u.id in (
    select a.user_id from assignments a where a.test_id = $1
    union select m.user_id from assignments a join group_members m on m.group_id = a.group_id
      where a.test_id = $1)
  and not exists (select 1 from attempts x
    where x.test_id = $1 and x.user_id = u.id and x.deleted_at is null and not x.trial)`;

/**
 * A page of the attempts and their total number, always by one query. Classes, late and held answers are read only for
 * the rows of the page.
 */
export async function statisticsPage(
  db: Client,
  test: AnalysedTest,
  query: RowsQuery,
  now: Date,
): Promise<{ items: StatisticsRow[]; total: number; trials: number; unstarted?: number }> {
  const order = orderBy(query.sortOrder, query.descending);
  const found = await rows<Found>(
    db,
    `with picked as materialized (
       select * from (
         select id, user_id, user_name, max_points, number, started_at, deadline, ended, ended_at,
           points, points_without_late, graded_max, trial, used, counted
         from (${CHOSEN_ATTEMPTS}) attempt
         union all ${UNSTARTED}
       ) people where ${folded('user_name')} like all($6::text[])
     )
     select (select count(*) from picked) as total,
       (select count(*) from picked where id is null) as unstarted, page.*,
       array(select g.name from group_members m join groups g on g.id = m.group_id
         where m.user_id = page.user_id and ${isTaughtGroup('$7')} order by ${nameKey('g.name')}) as groups,
       (select count(*) from operations o where o.attempt_id = page.id
         and o.outcome = 'held' and o.kind = 'answer' and o.decision is null) as held,
       (select count(*) from answers r where r.attempt_id = page.id and r.received_late) as late
     from (select) always
       left join (select * from picked order by ${order} limit $8 offset $9) page on true
     order by ${order}`,
    [
      ...chosenParameters(test, query),
      wordPatterns(query.searchQuery),
      test.ownerId,
      query.pageSize,
      (query.page - 1) * query.pageSize,
      query.unstarted,
      test.maxPoints,
    ],
  );
  return {
    items: found.flatMap((row) => {
      if (row.user_id === null) return [];
      return [row.id === null ? unstartedRow(test, row) : attemptRow(test, row, now)];
    }),
    total: found[0]?.total ?? 0,
    trials: await countTrials(db, test.id, query.groupId ?? null),
    ...(query.unstarted && { unstarted: found[0]?.unstarted ?? 0 }),
  };
}
