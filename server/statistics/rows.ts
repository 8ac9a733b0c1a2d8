import type { StatisticsOrder } from '#contract/orders.ts';
import type { StatisticsRow } from '#contract/statistics.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import { nameKey } from '#server/db/name-order.ts';
import { rows, type Client } from '#server/db/query.ts';
import { countTrials, isTaughtGroup } from '#server/grading/taught-test.ts';
import {
  CHOSEN_ATTEMPTS,
  chosenParameters,
  type AttemptChoice,
  type AnalysedTest,
} from './chosen.ts';

/** Names by surname as they are written; missing values last, whatever the direction. */
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
  readonly page: number;
  readonly pageSize: number;
}

interface Found {
  readonly total: number;
  readonly id: string | null;
  readonly user_id: string;
  readonly user_name: string;
  readonly max_points: number;
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
  readonly groups: string[];
  readonly held: number;
  readonly points_without_late: number | null;
  readonly late: number;
}

function rowOf(test: AnalysedTest, found: Found & { id: string }, now: Date): StatisticsRow {
  const isOver = found.ended !== null || found.deadline <= now;
  return {
    userTestId: found.id,
    testName: test.name,
    testPoints: found.max_points,
    userId: found.user_id,
    userName: found.user_name,
    points: found.ended === null ? null : found.points,
    attemptNumber: found.number,
    groups: found.groups,
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

/**
 * A page of the attempts and their total number: one query, whatever the page. Classes, late and held answers
 * are read for the rows of the page alone.
 */
export async function statisticsPage(
  db: Client,
  test: AnalysedTest,
  query: RowsQuery,
  now: Date,
): Promise<{ items: StatisticsRow[]; total: number; trials: number }> {
  const order = orderBy(query.sortOrder, query.descending);
  const found = await rows<Found>(
    db,
    `with picked as materialized (
       ${CHOSEN_ATTEMPTS} and ${folded('user_name')} like all($6::text[])
     )
     select (select count(*) from picked) as total, page.*,
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
    ],
  );
  return {
    items: found.flatMap((row) =>
      row.id === null ? [] : [rowOf(test, { ...row, id: row.id }, now)],
    ),
    total: found[0]?.total ?? 0,
    trials: await countTrials(db, test.id, query.groupId ?? null),
  };
}
