import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import { maxPoints } from '#domain/scoring.ts';
import { selectVariants, drawCount } from '#domain/variants.ts';
import { execute, one, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { loadContent } from './content.ts';

/** Characters of draws made in advance. Further draws of a larger test are made at starts. */
const MAX_AHEAD = 24_000_000;

interface Source {
  readonly id: string;
  readonly questions: readonly Question[];
}

/** Stores a draw, which is a content without alternatives, once. Returns its length in characters. */
async function store(
  client: PoolClient,
  deps: Deps,
  from: Source,
  number: number,
): Promise<number> {
  const questions = selectVariants(from.questions, number);
  const written = JSON.stringify(questions);
  await execute(
    client,
    `insert into test_contents (id, test_id, questions, max_points, asked, created_at, drawn_from,
       drawn_number)
     select $2, c.test_id, $3::jsonb, $4, $5, c.created_at, c.id, $6
     from test_contents c where c.id = $1
     on conflict (drawn_from, drawn_number) do nothing`,
    [from.id, deps.newId(), written, maxPoints(questions), questions.length, number],
  );
  return written.length;
}

/**
 * The content that the next attempt pins: the given one, or the next draw if it has alternatives. Starts of such a test
 * are serialized, so that no two get the same draw while others are unused.
 */
export async function drawNext(client: PoolClient, deps: Deps, contentId: string): Promise<string> {
  const content = await loadContent(client, contentId);
  const count = drawCount(content.questions);
  if (count === 1) return contentId;
  // Takes the lock and reads the draw at once: other starts wait from here until the attempt is stored.
  const turn = await one<{ number: number; id: string | null }>(
    client,
    `with turn as (
       update test_contents set draws_given = draws_given + 1 where id = $1
       returning (draws_given - 1) % $2 as number
     )
     select turn.number, d.id
     from turn left join test_contents d on d.drawn_from = $1 and d.drawn_number = turn.number`,
    [contentId, count],
  );
  if (!turn) throw new Error(`content ${contentId} is missing`);
  if (turn.id !== null) return turn.id;
  await store(client, deps, content, turn.number);
  const made = await one<{ id: string }>(
    client,
    'select id from test_contents where drawn_from = $1 and drawn_number = $2',
    [contentId, turn.number],
  );
  if (!made) throw new Error(`draw ${turn.number} of content ${contentId} was not made`);
  return made.id;
}

/**
 * Makes the draws of future attempts, so that a backup made from now on contains the content of every later attempt.
 */
export async function drawAll(client: PoolClient, deps: Deps, contentId: string): Promise<void> {
  const content = await loadContent(client, contentId);
  const count = drawCount(content.questions);
  if (count === 1) return;
  const stored = await rows<{ number: number }>(
    client,
    'select drawn_number as number from test_contents where drawn_from = $1',
    [contentId],
  );
  const there = new Set(stored.map(({ number }) => number));
  let ahead = 0;
  for (let number = 0; number < count && ahead < MAX_AHEAD; number += 1)
    if (!there.has(number)) ahead += await store(client, deps, content, number);
}
