import type { Statement } from '#simulation/database.ts';
import type { Plant } from '#simulation/plant.ts';

/** Server bugs, as changes of its SQL statements. */

/** Ends the process: the server would turn a mere exception into a 500. */
function endsTheWorker(problem: string): void {
  process.nextTick(() => {
    throw new Error(problem);
  });
}

/** Changes statements that contain `part`, and their prepared names. */
export function changes(part: string, change: (text: string) => string): Plant {
  return {
    statement: (statement) => {
      if (!statement.text.includes(part)) return statement;
      const text = change(statement.text);
      if (text === statement.text) endsTheWorker(`the planted bug has no hold in: ${part}`);
      const name = statement.name === undefined ? {} : { name: `${statement.name}-planted` };
      return { ...statement, ...name, text };
    },
  };
}

const both = (a: Plant, b: Plant): Plant => ({
  statement: (statement) => b.statement?.(a.statement?.(statement) ?? statement) ?? statement,
});

const FAST = "deadline + interval '60 seconds' >= input.received_at";
/** Selects the counted answers from the journal. */
const COUNTING = 'select distinct on (attempt_id, question_id) attempt_id, id from operations';

/** Ignores the deadline. */
export const takesLateAsInTime = changes(FAST, (text) =>
  text.replaceAll(FAST, "deadline + interval '30 days' >= input.received_at"),
);

/** The last answer to arrive wins. */
export const ordersByReceipt = changes('insert into answers', (text) =>
  text
    .replace(/where \(answers\.epoch[^<]*<\s*\(excluded\.epoch[^)]*\)/, 'where true')
    .replace(/\(a\.epoch, a\.rank\) > \([^)]*\)/, 'false'),
);

/** The score is computed from the answers that arrived last. */
export const scoresByReceipt = changes(COUNTING, (text) =>
  text
    .replaceAll('epoch desc, rank desc, ordinal desc', 'ordinal desc')
    .replace(/\bepoch\b, sequence, rank,/, '0 as epoch, sequence, ordinal as rank,'),
);

/** Held answers count without the teacher's decision. */
export const scoresHeld = changes(COUNTING, (text) =>
  text
    .replaceAll(" and decision = 'accepted'", '')
    .replace(/\boutcome, refusal/, `'stored' as outcome, refusal`),
);

const VERDICTS = 'select place, stream_id as stream';

/** Answers that share a statement get each other's verdicts. */
export const mixesVerdicts = changes(VERDICTS, (text) =>
  text.replace('select place,', 'select count(*) over () + 1 - place as place,'),
);

/** An answer that the statement left out gets the verdict of the next one. */
export const countsVerdicts = changes(VERDICTS, (text) =>
  text.replace('select place,', 'select row_number() over (order by place) as place,'),
);

/** A statement stores the text of its first answer for all. */
export const storesFirstText = changes(VERDICTS, (text) =>
  text.replaceAll(
    'body::jsonb',
    '(select first.body from own_stream first order by first.place limit 1)::jsonb',
  ),
);

/** A repeated start is a new start. */
export const forgetsStartKeys = both(
  changes('from start_keys', (text) => `${text} and false`),
  changes('insert into start_keys', (text) =>
    text.replace('values ($1, $2,', 'values ($1, coalesce(gen_random_uuid(), $2),'),
  ),
);

/** A take-over gets the same epoch as before. */
export const takeOverKeepsEpoch = changes('insert into streams', (text) =>
  text.replace('$3, $4, $5', 'greatest($3 - 1, 1), $4, $5'),
);

/** The number of attempts is not limited. */
export const ignoresAttemptsCount = changes('count(*) filter (where deleted_at is null)', (text) =>
  text.replace('count(*) filter (where deleted_at is null)', '0'),
);

/** Added minutes are subtracted. */
export const movesDeadlineBack = changes('update attempts set deadline = $2', (text) =>
  text.replace('deadline = $2', "deadline = $2::timestamptz - interval '3 hours'"),
);

/** Closed attempts end long before they start. */
export const closesBeforeStart = changes("set ended = 'closed', ended_at = $2", (text) =>
  text.replace('ended_at = $2', "ended_at = $2::timestamptz - interval '1 year'"),
);

/** Answers count after the student has seen the result. */
export const forgetsWhoSawResult = changes('results_shown_until as "shownUntil"', (text) =>
  text.replace('where id = $1', 'where id = $1 and false'),
);

/** A result hidden now is treated as never shown. */
export const forgetsWhatWasShown = changes('set results_shown_until', (text) =>
  text.replace('where id = $1', 'where id = $1 and false'),
);

/** Added minutes make answers written after the result count. */
export const countsAfterResultByMinutes = changes(' and not after_result', (text) =>
  text.replace(' and not after_result', ''),
);

/** Accepts ages from before the stream began. */
export const believesAnyAge = changes('as "beganAt"', (text) =>
  text.replace('created_at as "beganAt"', `timestamptz 'epoch' as "beganAt"`),
);

/** The reply does not wait for the commit, which sometimes never happens. */
export function repliesWithoutCommit(): Plant {
  let commits = 0;
  return {
    statement: (statement: Statement) => {
      if (statement.text !== 'commit') return statement;
      commits += 1;
      return commits % 3 === 0 ? { ...statement, text: 'rollback' } : statement;
    },
  };
}
