import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { ItemStatistics, TestAnalysis } from '#contract/statistics.ts';
import {
  cronbachAlpha,
  deviation,
  discrimination,
  facility,
  histogram,
  itemReading,
  mean,
  median,
  standardError,
  totalsOf,
} from '#domain/statistics.ts';
import { countedPoints } from '#domain/scoring.ts';
import { placeId } from '#domain/variants.ts';
import { BoundedMap } from '#server/bounded-map.ts';
import { nameKey } from '#server/db/name-order.ts';
import { rows, type Client } from '#server/db/query.ts';
import { isTaughtGroup } from '#server/grading/taught-test.ts';
import { unlessTrial } from '#server/passing/trial.ts';
import { listChoices, tallyChoices } from './choices.ts';
import type { AttemptChoice, AnalysedTest } from './chosen.ts';
import {
  endedAttempts,
  loadMatrix,
  type MatrixItem,
  type EndedAttempt,
  type Matrix,
} from './matrix.ts';

/** Scores computed before yielding to other calls. */
const CELLS_AT_ONCE = 50_000;

/** Sums over the graded items with points, by attempt. */
function gradedSums({ attempts, items }: Matrix) {
  const points = new Float64Array(attempts.length);
  const maxima = new Float64Array(attempts.length);
  for (const item of items) {
    item.points.forEach((score, i) => {
      if (Number.isNaN(score)) return;
      points[i] = (points[i] ?? 0) + score;
      maxima[i] = (maxima[i] ?? 0) + (item.maxima[i] ?? 0);
    });
  }
  return { points, maxima };
}

type Sums = ReturnType<typeof gradedSums>;

/** By attempt, the score at the other graded items as a share of their maximum; NaN: no other item is graded. */
const restsOf = (item: MatrixItem, sums: Sums): Float64Array =>
  item.points.map((own, i) => {
    const isGraded = !Number.isNaN(own);
    const others = (sums.maxima[i] ?? 0) - (isGraded ? (item.maxima[i] ?? 0) : 0);
    return others > 0 ? ((sums.points[i] ?? 0) - (isGraded ? own : 0)) / others : Number.NaN;
  });

/** Shares of the item's maximum and of the rest's, over the attempts that have both. */
function sharesOf(item: MatrixItem, rests: Float64Array) {
  const all: number[] = [];
  const own: number[] = [];
  const rest: number[] = [];
  item.points.forEach((score, i) => {
    const maximum = item.maxima[i] ?? 0;
    if (Number.isNaN(score) || maximum === 0) return;
    all.push(score / maximum);
    const others = rests[i] ?? Number.NaN;
    if (Number.isNaN(others)) return;
    own.push(score / maximum);
    rest.push(others);
  });
  return { all, own, rest };
}

function itemStatistics(item: MatrixItem, number: number, sums: Sums): ItemStatistics | null {
  const [question] = item.versions;
  if (!question) return null;
  const rests = restsOf(item, sums);
  const { all, own, rest } = sharesOf(item, rests);
  const answered = item.chosen.reduce((count, index) => count + (index < 0 ? 0 : 1), 0);
  const figures = {
    graded: item.points.reduce((count, score) => count + (Number.isNaN(score) ? 0 : 1), 0),
    maxPoints: countedPoints(question),
    facility: facility(all),
    discrimination: discrimination(own, rest),
  };
  return {
    questionId: item.questionId,
    number,
    text: question.text,
    kind: question.kind,
    multiple: 'multiple' in question && question.multiple,
    ...('input' in question ? { input: question.input } : {}),
    answered,
    versions: item.alternatives > 1 ? 1 : item.versions.length,
    alternatives: item.alternatives,
    ...figures,
    reading: itemReading(figures),
    ...(item.alternatives > 1
      ? { choices: [], otherAnswers: 0, gaps: [] }
      : listChoices(item.versions, tallyChoices(item.choiceSets, item.chosen, rests), {
          answered,
          graded: figures.graded,
        })),
  };
}

/** Alpha and its error over the attempts in which every item of the newest content is graded. */
function reliability({ attempts, items, newest }: Matrix) {
  const newestPoints = new Map(
    newest?.questions.map((each) => [placeId(each), countedPoints(each)]),
  );
  const scored = items.filter((item) => (newestPoints.get(item.placeId) ?? 0) > 0);
  const complete = attempts.flatMap((_, i) =>
    scored.every(({ points }) => !Number.isNaN(points[i])) ? [i] : [],
  );
  const scores = scored.map(({ points }) => complete.map((i) => points[i] ?? 0));
  const alpha = cronbachAlpha(scores);
  return { alpha, standardError: standardError(deviation(totalsOf(scores)), alpha) };
}

const greatest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

/** Figures of a whole test from its matrix; yields to other calls between items. */
export async function analyse(matrix: Matrix) {
  const { attempts, items } = matrix;
  const sums = gradedSums(matrix);
  const itemsAtOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, attempts.length)));
  const judged: ItemStatistics[] = [];
  for (const [i, item] of items.entries()) {
    if (i % itemsAtOnce === 0) await turn();
    const statistics = itemStatistics(item, i + 1, sums);
    if (statistics) judged.push(statistics);
  }
  await turn();
  const points = attempts.map((attempt) => attempt.points);
  const used = attempts.flatMap((attempt) => (attempt.used === null ? [] : [attempt.used]));
  const minutes = used.map((seconds) => seconds / 60);
  const most = greatest(attempts.map(({ maxPoints }) => maxPoints));
  return {
    attempts: attempts.length,
    pendingReview: attempts.filter(({ gradedMax, maxPoints }) => gradedMax !== maxPoints).length,
    mean: mean(points),
    median: median(points),
    deviation: deviation(points),
    ...reliability(matrix),
    distribution: attempts.length === 0 ? [] : histogram(points, most),
    time: minutes.length === 0 ? [] : histogram(minutes, greatest(minutes)),
    medianSeconds: median(used),
    items: judged,
  };
}

/** Classes of the test's owner, and those it is assigned to, with attempts on it. */
export function classesOf(
  db: Client,
  test: AnalysedTest,
  { trials }: Pick<AttemptChoice, 'trials'>,
): Promise<TestAnalysis['groups']> {
  return rows(
    db,
    `select g.id as "groupId", g.name, u.user_name as owner, count(*) as attempts
     from attempts x join group_members m on m.user_id = x.user_id join groups g on g.id = m.group_id
       join users u on u.id = g.owner_id
     where x.test_id = $1 and x.deleted_at is null and ${unlessTrial('$3')} and ${isTaughtGroup('$2')}
     group by g.id, u.id order by ${nameKey('g.name')}, g.id`,
    [test.id, test.ownerId, trials === '1'],
  );
}

type Analysis = Awaited<ReturnType<typeof analyse>> & Pick<TestAnalysis, 'maxScore'>;

const CACHE_SIZE = 50;

/** Cached analyses by test and choice, the least recently used first; `stamp` is the version of the data. */
const cache = new BoundedMap<{ readonly stamp: string; readonly analysis: Promise<Analysis> }>(
  CACHE_SIZE,
);

/** Matrices of the latest analyses: after a new mark only its attempt is read again. */
const MATRICES = 8;
const matrices = new BoundedMap<Matrix>(MATRICES);

/**
 * Any change of what counts stores the attempt's mark again (server rule 10) and so a new version of its row. A stamp
 * that was read before the answers can only be older than the analysed data, never newer.
 */
function stampOf(test: AnalysedTest, attempts: readonly EndedAttempt[]): string {
  const versions = attempts.map(({ id, version }) => `${id} ${version}`);
  const data = [test.contentId, test.maxPoints, ...versions].join('\n');
  return createHash('sha256').update(data).digest('base64');
}

/** Figures of the chosen attempts, cached for as long as none of them changes. */
export async function analysisOf(
  db: Client,
  test: AnalysedTest,
  choice: AttemptChoice,
): Promise<Analysis> {
  const attempts = await endedAttempts(db, test, choice);
  const key = `${test.id} ${choice.groupId ?? ''} ${choice.attempts} ${choice.trials ?? ''}`;
  const stamp = stampOf(test, attempts);
  const known = cache.get(key);
  cache.delete(key);
  const fresh = async () => {
    const matrix = await loadMatrix(db, test, attempts, matrices.get(key));
    matrices.delete(key);
    matrices.set(key, matrix);
    return {
      maxScore: matrix.newest?.maxPoints ?? test.maxPoints,
      ...(await analyse(matrix)),
    };
  };
  const analysis = known?.stamp === stamp ? known.analysis : fresh();
  cache.set(key, { stamp, analysis });
  // A failure is not cached.
  analysis.catch(() => cache.delete(key));
  return analysis;
}
