import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import { maxPoints } from '#domain/scoring.ts';
import { askedQuestions, drawCount } from '#domain/variants.ts';
import { execute, one, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { loadContent } from './content.ts';

/** Characters of draws that one statement stores. */
const STORED_AT_ONCE = 2_000_000;
/** Characters of draws made in advance; the rest of a larger test are made at starts. */
const AHEAD_MOST = 24_000_000;

interface Source {
  readonly id: string;
  readonly questions: readonly Question[];
}

/** Stores draws of a content, each a content without alternatives; the same draw is stored once. */
async function store(
  client: PoolClient,
  deps: Deps,
  from: Source,
  draws: readonly { number: number; written: string }[],
): Promise<void> {
  // Alternatives have equal points: every draw has as many questions for as many points.
  const asked = askedQuestions(from.questions, 0);
  await execute(
    client,
    `insert into test_contents (id, test_id, questions, max_points, asked, created_at, drawn_from,
       drawn_number)
     select draw.id, c.test_id, draw.questions::jsonb, $4, $5, c.created_at, c.id, draw.number
     from test_contents c, unnest($2::uuid[], $3::text[], $6::integer[])
       as draw (id, questions, number)
     where c.id = $1
     on conflict (drawn_from, drawn_number) do nothing`,
    [
      from.id,
      draws.map(() => deps.newId()),
      draws.map(({ written }) => written),
      maxPoints(asked),
      asked.length,
      draws.map(({ number }) => number),
    ],
  );
}

const written = ({ questions }: Source, number: number) => ({
  number,
  written: JSON.stringify(askedQuestions(questions, number)),
});

/**
 * The content that the next attempt pins: the given one, or the next draw where it has alternatives. Starts of
 * such a test are serialized, so that no two get the same draw while others are left.
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
  await store(client, deps, content, [written(content, turn.number)]);
  const made = await one<{ id: string }>(
    client,
    'select id from test_contents where drawn_from = $1 and drawn_number = $2',
    [contentId, turn.number],
  );
  if (!made) throw new Error(`draw ${turn.number} of content ${contentId} was not made`);
  return made.id;
}

/** Makes the draws of future attempts, so that a backup made from now on has what every later attempt pins. */
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
  let size = 0;
  let part: ReturnType<typeof written>[] = [];
  for (let number = 0; number < count && ahead < AHEAD_MOST; number += 1) {
    if (there.has(number)) continue;
    const draw = written(content, number);
    ahead += draw.written.length;
    size += draw.written.length;
    part.push(draw);
    if (size < STORED_AT_ONCE) continue;
    await store(client, deps, content, part);
    part = [];
    size = 0;
  }
  if (part.length > 0) await store(client, deps, content, part);
}
