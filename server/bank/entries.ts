import * as v from 'valibot';
import type { BankEntry } from '#contract/bank.ts';
import { Question } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import { rows, type Client } from '#server/db/query.ts';

/** Maximum number of tests named with an entry; it may be in more. */
const NAMED_TESTS = 20;

interface Row {
  readonly entryId: string;
  readonly question: unknown;
  readonly theme: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly updatedAt: Date;
  readonly uses: { testId: string; name: string }[];
  readonly usesCount: number;
  readonly attempts: number;
  readonly shareSum: number;
}

function wireEntry({ question, topic, difficulty, updatedAt, shareSum, ...row }: Row): BankEntry {
  const written = v.parse(Question, question);
  const named = v.safeParse(Difficulty, difficulty);
  return {
    ...row,
    question: {
      ...written,
      ...(topic !== '' && { topic }),
      ...(named.success && { difficulty: named.output }),
    },
    facility: row.attempts === 0 ? null : shareSum / row.attempts,
    updatedAt: updatedAt.toISOString(),
  };
}

/** Entries of a teacher's bank with their uses and figures, in the order of the ids, by one query. */
export async function readEntries(
  db: Client,
  ownerId: string,
  entryIds: readonly string[],
): Promise<BankEntry[]> {
  if (entryIds.length === 0) return [];
  const found = await rows<Row>(
    db,
    `select e.entry_id as "entryId", e.question, e.theme, e.topic, e.difficulty,
       e.updated_at as "updatedAt", made.attempts, made.shares as "shareSum",
       made.tests as "usesCount",
       array(select json_build_object('testId', t.id, 'name', t.name) from tests t
         where t.id in (select u.test_id from bank_uses u
           where u.owner_id = $1 and u.entry_id = e.entry_id and u.is_current)
         order by t.created_at desc, t.id desc limit ${NAMED_TESTS}) as uses
     from unnest($2::uuid[]) with ordinality as wanted (id, place)
       join bank_entries e on e.owner_id = $1 and e.entry_id = wanted.id
       cross join lateral (
         select coalesce(sum(u.attempts), 0) as attempts, coalesce(sum(u.share_sum), 0) as shares,
           count(distinct u.test_id) filter (where u.is_current) as tests
         from bank_uses u where u.owner_id = $1 and u.entry_id = e.entry_id
       ) made
     order by wanted.place`,
    [ownerId, entryIds],
  );
  return found.map(wireEntry);
}
