import type { listGradeLog } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import { rows, type Client } from '#server/db/query.ts';

interface Row {
  readonly at: Date;
  readonly actor: string | null;
  readonly questionId: string | null;
  readonly oldPoints: number | null;
  readonly newPoints: number | null;
  readonly reason: string;
  readonly comment: string;
}

/** Changes of an attempt's grades and of its mark, newest first. */
export async function gradeLog(
  db: Client,
  attemptId: string,
): Promise<ReplyOf<typeof listGradeLog>> {
  const found = await rows<Row>(
    db,
    `select l.at, u.user_name as actor, l.question_id as "questionId", l.old_points as "oldPoints",
       l.new_points as "newPoints", l.reason, l.comment
     from (
       select id, at, actor_id, question_id, old_points, new_points, reason, comment, 1 as step
       from grade_changes where attempt_id = $1
       union all
       select id, at, actor_id, null, old_points, new_points, reason, '', 2
       from score_changes where attempt_id = $1
     ) l left join users u on u.id = l.actor_id
     order by l.at desc, l.step desc, l.id desc`,
    [attemptId],
  );
  return {
    items: found.map((row) => ({ ...row, at: row.at.toISOString() })),
    total: found.length,
  };
}
