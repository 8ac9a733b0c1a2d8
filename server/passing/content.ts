import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { BoundedMap } from '#server/bounded-map.ts';
import { one, type Client } from '#server/db/query.ts';

/** A pinned version of a test's questions, with keys. */
export interface TestContent {
  readonly id: string;
  readonly questions: readonly Question[];
  readonly byId: ReadonlyMap<string, Question>;
  readonly maxPoints: number;
}

const MAX_CACHED = 500;

/** Contents are immutable, so they are cached; the oldest is evicted first. */
const cache = new BoundedMap<TestContent>(MAX_CACHED);

/** Loads a pinned version. A missing row throws: attempts hold a foreign key to it. */
export async function loadContent(db: Client, id: string): Promise<TestContent> {
  const known = cache.get(id);
  if (known) return known;
  const row = await one<{ questions: unknown; maxPoints: number }>(
    db,
    `select questions, max_points as "maxPoints" from test_contents where id = $1`,
    [id],
  );
  if (!row) throw new Error(`content ${id} is missing`);
  const questions = v.parse(v.array(Question), row.questions);
  const content: TestContent = {
    id,
    questions,
    byId: new Map(questions.map((question) => [question.questionId, question])),
    maxPoints: row.maxPoints,
  };
  cache.set(id, content);
  return content;
}
