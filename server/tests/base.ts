import type { FastifyInstance } from 'fastify';
import type { QueryOf } from '#contract/route.ts';
import { listPassedTests, listTests, type TestStatus } from '#contract/tests.ts';
import { isUnfinished } from '#domain/status.ts';
import { inOrder, type Ordered } from '#domain/test-order.ts';
import { rows, type Client } from '#server/db/query.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { OWN_END, OWN_START, TEST_FACTS, type TestAccess } from './access.ts';
import {
  listItem,
  ownAttempts,
  pastOf,
  runningUntil,
  statusOf,
  totalPointsOf,
  type OwnAttempt,
  type StatusTerms,
} from './listing.ts';
import { latestCloses } from './visible.ts';

type Query = QueryOf<typeof listTests>;

/** Open to everyone; an archived one only for those who passed it. */
const BASE = `t.open_to_all and (t.lifecycle = 'active' or exists (
  select 1 from attempts x where x.test_id = t.id and x.user_id = $1 and x.deleted_at is null))`;

/** Tests that the caller has begun, even if no longer assigned. */
const PASSED = `exists (
  select 1 from attempts x where x.test_id = t.id and x.user_id = $1 and x.deleted_at is null)`;

/** The fields of a test that its status and position need: a list reads the whole base. */
interface Candidate extends StatusTerms {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly maxPoints: number;
}

function candidates(
  db: Client,
  userId: string,
  scope: string,
  { searchQuery, subject, difficulty }: Query,
): Promise<Candidate[]> {
  return rows<Candidate>(
    db,
    `select t.id, t.name, t.lifecycle, ${OWN_START} as "startTime", ${OWN_END} as "endTime",
       t.attempts_count as "attemptsCount", p.attempts_count as "ownAttemptsCount",
       t.created_at as "createdAt", coalesce(c.max_points, 0) as "maxPoints"
     from tests t
       join users u on u.id = t.owner_id
       left join test_contents c on c.id = t.content_id
       left join personal_terms p on p.test_id = t.id and p.user_id = $1
     where t.lifecycle <> 'draft' and ${scope}
       and ($2::text is null or t.theme = $2) and ($3::text is null or t.difficulty = $3)
       and ${folded(`concat_ws(' ', t.name, u.user_name, t.topic)`)} like all ($4::text[])`,
    [userId, subject ?? null, difficulty ?? null, wordPatterns(searchQuery)],
  );
}

/** A test with the caller's attempts, before paging. */
interface ListedTest extends Ordered {
  readonly status: TestStatus;
  readonly attempts: readonly OwnAttempt[];
}

interface Page {
  readonly userId: string;
  /** The whole list, in its order. */
  readonly listed: readonly ListedTest[];
  readonly query: Query;
  readonly now: number;
}

/** The items of one page, with data read for them alone. */
async function pageOf(db: Client, { userId, listed, query, now }: Page) {
  const from = (query.page - 1) * query.pageSize;
  const page = listed.slice(from, from + query.pageSize);
  const facts = await rows<TestAccess>(db, `${TEST_FACTS} where t.id = any($2)`, [
    userId,
    page.map(({ id }) => id),
  ]);
  const latest = await latestCloses(
    db,
    page.filter(({ attempts }) => attempts.length > 0).map(({ id }) => id),
  );
  const byId = new Map(facts.map((test) => [test.id, test]));
  return page.flatMap(({ id, attempts }) => {
    const test = byId.get(id);
    if (!test) return [];
    const latestClose = latest.get(id) ?? null;
    return [{ item: listItem(test, { attempts, latestClose, now }), attempts }];
  });
}

export function registerTestBase(app: FastifyInstance, deps: Deps): void {
  async function listedFor(userId: string, scope: string, query: Query, now: number) {
    const found = await candidates(deps.pool, userId, scope, query);
    const ids = found.map(({ id }) => id);
    const byTest = await ownAttempts(deps.pool, userId, ids);
    return found.flatMap((test): ListedTest[] => {
      const attempts = byTest.get(test.id) ?? [];
      const status = statusOf(test, attempts, now);
      if (query.status !== undefined && status !== query.status) return [];
      return [
        {
          id: test.id,
          name: test.name,
          newness: test.createdAt.getTime(),
          closes: test.endTime?.getTime() ?? null,
          points: totalPointsOf(test, attempts),
          runsUntil: runningUntil(attempts, now),
          status,
          attempts,
        },
      ];
    });
  }

  handle(app, deps, listTests, async ({ caller, query, now: at }) => {
    const now = at.getTime();
    const found = await listedFor(caller.userId, BASE, query, now);
    const listed = inOrder(found, query.sortOrder, now);
    const page = await pageOf(deps.pool, { userId: caller.userId, listed, query, now });
    return { items: page.map(({ item }) => item), total: listed.length };
  });

  handle(app, deps, listPassedTests, async ({ caller, query, now: at }) => {
    const now = at.getTime();
    const passed = await listedFor(caller.userId, PASSED, query, now);
    const over = passed.flatMap((test) => {
      const past = pastOf(test.attempts, now);
      return past ? [{ ...test, newness: Date.parse(past.finishedAt) }] : [];
    });
    const ordered = inOrder(over, query.sortOrder, now);
    const listed = [
      ...ordered.filter(({ status }) => !isUnfinished(status)),
      ...ordered.filter(({ status }) => isUnfinished(status)),
    ];
    const page = await pageOf(deps.pool, { userId: caller.userId, listed, query, now });
    const items = page.flatMap(({ item, attempts }) => {
      const past = pastOf(attempts, now);
      return past ? [{ ...item, ...past }] : [];
    });
    return { items, total: listed.length };
  });
}
