import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import { maxPoints } from '#domain/scoring.ts';
import { askedQuestions, drawCount } from '#domain/variants.ts';
import { execute, one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { loadContent } from './content.ts';

/** A content without alternatives, made of one with them; the same draw is made once. */
async function drawn(
  client: PoolClient,
  deps: Deps,
  from: { id: string; questions: readonly Question[] },
  draw: number,
): Promise<string> {
  const questions = askedQuestions(from.questions, draw);
  await execute(
    client,
    `insert into test_contents (id, test_id, questions, max_points, asked, created_at, drawn_from,
       drawn_number)
     select $2, test_id, $3, $4, $5, created_at, id, $6 from test_contents where id = $1
     on conflict (drawn_from, drawn_number) do nothing`,
    [
      from.id,
      deps.newId(),
      JSON.stringify(questions),
      maxPoints(questions),
      questions.length,
      draw,
    ],
  );
  const made = await one<{ id: string }>(
    client,
    'select id from test_contents where drawn_from = $1 and drawn_number = $2',
    [from.id, draw],
  );
  if (!made) throw new Error(`draw ${draw} of content ${from.id} was not made`);
  return made.id;
}

/**
 * The content that the next attempt pins: the given one, or where it has alternatives the next draw of
 * them. Starts of such a test take turns, so that no two get the same while there are others.
 */
export async function drawNext(client: PoolClient, deps: Deps, contentId: string): Promise<string> {
  const content = await loadContent(client, contentId);
  const count = drawCount(content.questions);
  if (count === 1) return contentId;
  const turn = await one<{ given: number }>(
    client,
    `update test_contents set draws_given = draws_given + 1 where id = $1
     returning draws_given - 1 as given`,
    [contentId],
  );
  return drawn(client, deps, content, (turn?.given ?? 0) % count);
}

/**
 * Makes all draws of what attempts will get, so that a backup made from now on has what every later
 * attempt pins.
 */
export async function drawAll(client: PoolClient, deps: Deps, contentId: string): Promise<void> {
  const content = await loadContent(client, contentId);
  const count = drawCount(content.questions);
  if (count === 1) return;
  for (let draw = 0; draw < count; draw += 1) await drawn(client, deps, content, draw);
}
