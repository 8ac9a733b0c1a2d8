import type { Statement } from '#simulation/database.ts';
import type { Plant } from '#simulation/plant.ts';

/** Bugs of a server, as changes of its statements. */

/** Changes a statement that holds `part`; every other passes. The prepared name changes along. */
function changes(part: string, change: (text: string) => string): Plant {
  return {
    statement: (statement) => {
      if (!statement.text.includes(part)) return statement;
      const text = change(statement.text);
      if (text === statement.text) throw new Error(`the planted bug has no hold in: ${part}`);
      const name = statement.name === undefined ? {} : { name: `${statement.name}-planted` };
      return { ...statement, ...name, text };
    },
  };
}

const both = (a: Plant, b: Plant): Plant => ({
  statement: (statement) => b.statement?.(a.statement?.(statement) ?? statement) ?? statement,
});

const FAST = "deadline + interval '60 seconds' >= $3";
const JOURNAL = "kind = 'answer' and outcome <> 'refused' order by ordinal";

/** The deadline does not matter. */
export const takesLateAsInTime = changes(FAST, (text) =>
  text.replaceAll(FAST, "deadline + interval '30 days' >= $3"),
);

/** The last to arrive wins. */
export const ordersByReceipt = changes('insert into answers', (text) =>
  text
    .replace(/where \(answers\.epoch[^<]*<\s*\(excluded\.epoch[^)]*\)/, 'where true')
    .replace(/\(a\.epoch, a\.rank\) > \([^)]*\)/, 'false'),
);

/** The score is computed from what came last. */
export const scoresByReceipt = changes(JOURNAL, (text) =>
  text.replace(/\bepoch\b, sequence, rank,/, '0 as epoch, sequence, ordinal as rank,'),
);

/** Held answers count before the teacher decided. */
export const scoresHeld = changes(JOURNAL, (text) =>
  text.replace(/\boutcome, refusal/, `'stored' as outcome, refusal`),
);

/** A repeated start is a new start. */
export const forgetsStartKeys = both(
  changes('from start_keys', (text) => `${text} and false`),
  changes('insert into start_keys', (text) =>
    text.replace('values ($1, $2,', 'values ($1, coalesce(gen_random_uuid(), $2),'),
  ),
);

/** Whoever takes over gets the same place in the order as before. */
export const takeOverKeepsEpoch = changes('insert into streams', (text) =>
  text.replace(/\$3, \$4, \$4\b/, 'greatest($3 - 1, 1), $4, $4'),
);

/** Attempts are not counted. */
export const ignoresAttemptsCount = changes('count(*) filter (where deleted_at is null)', (text) =>
  text.replace('count(*) filter (where deleted_at is null)', '0'),
);

/** Added minutes are taken away. */
export const movesDeadlineBack = changes('update attempts set deadline = $2', (text) =>
  text.replace('deadline = $2', "deadline = $2::timestamptz - interval '3 hours'"),
);

/** The reply does not wait for the commit, and now and then there is none. */
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
