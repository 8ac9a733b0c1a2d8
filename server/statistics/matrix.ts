import { setImmediate as turn } from 'node:timers/promises';
import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from '#domain/answered.ts';
import { normaliseText } from '#domain/normalise.ts';
import { countedPoints, scoreItem, type ItemScore } from '#domain/scoring.ts';
import { placeId } from '#domain/variants.ts';
import { rows, type Client } from '#server/db/query.ts';
import { loadContent, type TestContent } from '#server/passing/content.ts';
import { choicesCopier, indexOfChoices, type ChoiceSets } from './choices.ts';
import {
  CHOSEN_ATTEMPTS,
  chosenParameters,
  type AttemptChoice,
  type AnalysedTest,
} from './chosen.ts';

/** An ended attempt as statistics read it. */
export interface EndedAttempt {
  readonly id: string;
  /** Differs after every change of its row. */
  readonly version: string;
  readonly contentId: string;
  readonly points: number;
  readonly gradedMax: number;
  readonly maxPoints: number;
  readonly used: number | null;
}

/** One question over all attempts and versions; alternatives are one. */
export interface MatrixItem {
  /** Of the newest version. */
  readonly questionId: string;
  readonly placeId: string;
  /** Number of questions at this position: more than one if attempts had alternatives. */
  readonly alternatives: number;
  /** Newest first. */
  readonly versions: readonly Question[];
  /** By attempt; NaN: the attempt did not contain it, or it is not graded yet. */
  readonly points: Float64Array;
  /** Its maximum in the attempt's version; NaN: the attempt did not contain it. */
  readonly maxima: Float64Array;
  readonly choiceSets: ChoiceSets;
  /** By attempt, an index of `choiceSets`; −1: not answered. */
  readonly chosen: Int32Array;
}

/** Attempts by items: the source of all figures. */
export interface Matrix {
  readonly attempts: readonly EndedAttempt[];
  /** In the order of the newest content; items that it no longer has follow. */
  readonly items: readonly MatrixItem[];
  /** The contents that attempts pin, the newest first. */
  readonly contentIds: readonly string[];
  /** Null: no attempt. */
  readonly newest: TestContent | null;
}

/** The server yields to other calls between two such parts. */
const ATTEMPTS_AT_ONCE = 100;

/**
 * The answers that count with the grades in force, one row per attempt: index scans of the primary keys of `answers`
 * and `grades` by attempt. A grade applies to the operation it was given to; one without an operation applies while
 * there is no answer. Concatenated as text because json_agg takes four times as long.
 */
const ANSWERS = `
select id, '[' || string_agg('["' || question_id || '",' || coalesce(body::text, 'null') || ','
  || coalesce(points::text, 'null') || ']', ',') || ']' as answers from (
  select a.attempt_id as id, a.question_id, a.body, g.points
  from answers a left join grades g on g.attempt_id = a.attempt_id
    and g.question_id = a.question_id and g.operation_id = a.operation_id
  where a.attempt_id = any($1)
  union all
  select g.attempt_id, g.question_id, null, g.points from grades g
  where g.attempt_id = any($1) and g.operation_id is null and not exists (
    select 1 from answers a where a.attempt_id = g.attempt_id and a.question_id = g.question_id)
) given group by id`;

/** A question's answer that counts, and its grade. */
export type MatrixAnswer = readonly [questionId: string, body: Answer | null, grade: number | null];

export async function endedAttempts(
  db: Client,
  test: AnalysedTest,
  choice: AttemptChoice,
): Promise<EndedAttempt[]> {
  return rows<EndedAttempt>(
    db,
    `select id, version, content_id as "contentId", coalesce(points, 0) as points,
       coalesce(graded_max, 0) as "gradedMax", max_points as "maxPoints", used
     from (${CHOSEN_ATTEMPTS} and ended is not null) looked order by started_at, id`,
    chosenParameters(test, choice),
  );
}

/** Contents that the attempts pin, the newest first. */
async function pinnedContentIds(
  db: Client,
  test: AnalysedTest,
  attempts: readonly EndedAttempt[],
): Promise<string[]> {
  const ordered = await rows<{ id: string }>(
    db,
    `select id from test_contents where id = any($1)
     order by coalesce(drawn_from, id) = $2 desc, created_at desc, drawn_number, id desc`,
    [contentIdsOf(attempts), test.contentId],
  );
  return ordered.map(({ id }) => id);
}

const contentIdsOf = (attempts: readonly EndedAttempt[]): string[] => [
  ...new Set(attempts.map(({ contentId }) => contentId)),
];

const loadContents = (db: Client, ids: readonly string[]): Promise<TestContent[]> =>
  Promise.all(ids.map((id) => loadContent(db, id)));

const emptyColumns = (attempts: number) => ({
  choiceSets: { indexes: new Map(), keys: [] } satisfies ChoiceSets,
  points: new Float64Array(attempts).fill(Number.NaN),
  maxima: new Float64Array(attempts).fill(Number.NaN),
  chosen: new Int32Array(attempts).fill(-1),
});

function makeItems(contents: readonly TestContent[], attempts: number): MatrixItem[] {
  const places = new Map<string, Map<string, Question>>();
  for (const { questions } of contents) {
    for (const question of questions) {
      const known = places.get(placeId(question)) ?? new Map<string, Question>();
      const shape = JSON.stringify(question);
      if (!known.has(shape)) known.set(shape, question);
      places.set(placeId(question), known);
    }
  }
  return [...places].map(([place, known]) => ({
    questionId: known.values().next().value?.questionId ?? place,
    placeId: place,
    alternatives: new Set([...known.values()].map(({ questionId }) => questionId)).size,
    versions: [...known.values()],
    ...emptyColumns(attempts),
  }));
}

/** Caches the most expensive step: a typed text is normalised and judged once, however many students typed it. */
export function makeScorer() {
  const scores = new Map<Question, Map<string, ItemScore>>();
  const normalised = new Map<string, string>();
  return {
    normalise(text: string): string {
      const known = normalised.get(text) ?? normaliseText(text);
      normalised.set(text, known);
      return known;
    },
    score(question: Question, answer: Answer | undefined, grade: number | undefined): ItemScore {
      if (grade !== undefined || answer?.kind !== 'open') return scoreItem(question, answer, grade);
      const ofQuestion = scores.get(question) ?? new Map<string, ItemScore>();
      scores.set(question, ofQuestion);
      const known = ofQuestion.get(answer.text) ?? scoreItem(question, answer, undefined);
      ofQuestion.set(answer.text, known);
      return known;
    },
  };
}

type Scorer = ReturnType<typeof makeScorer>;

/** Scores one attempt into its column. */
function scoreAttempt(
  column: number,
  content: TestContent,
  given: readonly MatrixAnswer[],
  byPlace: ReadonlyMap<string, MatrixItem>,
  scorer: Scorer,
): void {
  const answers = new Map(given.map((one) => [one[0], one] as const));
  for (const question of content.questions) {
    const item = byPlace.get(placeId(question));
    if (!item) continue;
    const [, answer, grade] = answers.get(question.questionId) ?? [];
    const score = scorer.score(question, answer ?? undefined, grade ?? undefined);
    item.maxima[column] = countedPoints(question);
    if (score.kind !== 'pending') item.points[column] = score.points;
    if (!answer || !isAnswered(answer) || answer.kind !== question.kind) continue;
    item.chosen[column] = indexOfChoices(item.choiceSets, question, answer, scorer.normalise);
  }
}

/**
 * Visits the answers of each attempt. One query per hundred attempts; the database runs it while the previous hundred
 * are visited.
 */
export async function eachGiven<A extends { readonly id: string }>(
  db: Client,
  attempts: readonly A[],
  enter: (attempt: A, given: readonly MatrixAnswer[], index: number) => void,
): Promise<void> {
  const read = (part: readonly A[]) => {
    const found = rows<{ id: string; answers: string }>(
      db,
      { name: 'statistics-answers', text: ANSWERS },
      [part.map(({ id }) => id)],
    );
    // The failure is handled where the part is awaited.
    found.catch(() => undefined);
    return { part, found };
  };
  if (attempts.length === 0) return;
  let next = read(attempts.slice(0, ATTEMPTS_AT_ONCE));
  for (let from = 0; from < attempts.length; from += ATTEMPTS_AT_ONCE) {
    const { part, found } = next;
    const byAttempt = new Map((await found).map(({ id, answers }) => [id, answers]));
    const after = attempts.slice(from + ATTEMPTS_AT_ONCE, from + 2 * ATTEMPTS_AT_ONCE);
    if (after.length > 0) next = read(after);
    // Sends the query, and lets other calls run.
    await turn();
    for (const [i, attempt] of part.entries())
      // The server's own rows: bodies were parsed at receipt.
      enter(attempt, JSON.parse(byAttempt.get(attempt.id) ?? '[]') as MatrixAnswer[], from + i);
  }
}

/** Copies the columns of unchanged attempts; returns the columns of the others. */
function copyUnchanged(former: Matrix, { attempts, items }: Matrix): number[] {
  const columns = new Map(former.attempts.map(({ id, version }, at) => [`${id} ${version}`, at]));
  const sources = attempts.map(({ id, version }) => columns.get(`${id} ${version}`) ?? -1);
  for (const [i, item] of items.entries()) {
    const old = former.items[i];
    if (!old) continue;
    const copyChoices = choicesCopier(old.choiceSets, item.choiceSets);
    sources.forEach((source, column) => {
      if (source < 0) return;
      item.points[column] = old.points[source] ?? Number.NaN;
      item.maxima[column] = old.maxima[source] ?? Number.NaN;
      item.chosen[column] = copyChoices(old.chosen[source] ?? -1);
    });
  }
  return sources.flatMap((source, column) => (source < 0 ? [column] : []));
}

/**
 * Scores ended attempts by the rule that also makes the marks (`scoreItem`).
 * @param former an earlier matrix of the test: attempts unchanged since are not read again
 */
export async function loadMatrix(
  db: Client,
  test: AnalysedTest,
  attempts: readonly EndedAttempt[],
  former?: Matrix,
): Promise<Matrix> {
  const contentIds = await pinnedContentIds(db, test, attempts);
  const known = former?.contentIds.join() === contentIds.join() ? former : undefined;
  const contents = known ? [] : await loadContents(db, contentIds);
  const items = known
    ? known.items.map((item) => ({ ...item, ...emptyColumns(attempts.length) }))
    : makeItems(contents, attempts.length);
  const matrix = { attempts, items, contentIds, newest: known?.newest ?? contents[0] ?? null };
  const columns = known ? copyUnchanged(known, matrix) : [...attempts.keys()];
  const unread = columns.flatMap((column) => {
    const attempt = attempts[column];
    return attempt ? [{ ...attempt, column }] : [];
  });
  const needed = known ? await loadContents(db, contentIdsOf(unread)) : contents;
  const contentById = new Map(needed.map((content) => [content.id, content]));
  const byPlace = new Map(items.map((item) => [item.placeId, item]));
  const scorer = makeScorer();
  await eachGiven(db, unread, ({ contentId, column }, given) => {
    const content = contentById.get(contentId);
    if (content) scoreAttempt(column, content, given, byPlace, scorer);
  });
  return matrix;
}
