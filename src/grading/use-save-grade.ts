import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { gradeItem } from '#contract/attempts.ts';
import type { GradingEntry } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import { formatPoints } from '#domain/format.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { isSameDraft, type Drafts } from './drafts.ts';
import { itemOf } from './queue.ts';
import { renewMarks } from './queries.ts';
import type { Failures, GivenGrade } from './use-failures.ts';
import { inMoment, problemOf } from './words.ts';

const FIELDS = ['points', 'reason', 'comment'] as const;

/** The answer's state once a grade of it is saved. */
function gradedEntry({ entry, points, draft }: GivenGrade): GradingEntry {
  if (points === null) {
    const gradedBy = entry.keyPoints === null ? 'nobody' : 'key';
    return { ...entry, points: entry.keyPoints, gradedBy, comment: '', reason: '' };
  }
  const { comment, reason } = draft;
  return { ...entry, points, gradedBy: 'person', comment, reason };
}

/** Whether the same call may go through later: the server did not refuse what was given. */
const mayPass = (error: unknown) =>
  !(error instanceof ApiFailure && error.kind === 'refused' && (error.status ?? 0) < 500);

/** Saves grades; both are told even after the place that asked has gone. */
export function useSaveGrade(of: {
  drafts: Drafts;
  failures: Failures;
  /** The entry as it is now, what the person must be told besides, and whether its draft is done with. */
  onSaved: (saved: GradingEntry, notice: string | null, isDone: boolean) => void;
  onProblem: () => void;
}): UseMutationResult<ReplyOf<typeof gradeItem>, Error, GivenGrade> {
  const { drafts, failures, onSaved, onProblem } = of;
  const client = useQueryClient();
  const { serverNow, timeZone } = useDevice();
  return useMutation({
    mutationFn: ({ entry, points, draft }: GivenGrade) =>
      call(gradeItem, {
        params: { attemptId: entry.attemptId },
        body: {
          questionId: entry.questionId,
          points,
          operationId: entry.operationId,
          seenGradedAt: entry.gradedAt,
          comment: points === null ? '' : draft.comment,
          reason: isGradedByHand(entry.question) ? '' : draft.reason,
        },
      }),
    onSuccess: ({ replaced }, given) => {
      const item = itemOf(given.entry);
      // What was typed while the call was on its way is not saved, and stays.
      const now = drafts.get(item);
      const isDone = now === undefined || isSameDraft(now, given.draft);
      if (isDone) drafts.set(item, undefined);
      failures.drop(item);
      const notice =
        replaced &&
        `Пока вы проверяли, этот ответ оценили: ${replaced.grader}, ${formatPoints(replaced.points)} ${inMoment(replaced.gradedAt, { now: serverNow(), timeZone })}. Записана ваша оценка, прежняя осталась в истории.`;
      onSaved(gradedEntry(given), notice, isDone);
    },
    onError: (error, given) => {
      const problem = problemOf(error, FIELDS);
      failures.add({ item: itemOf(given.entry), given, problem, canRetry: mayPass(error) });
      onProblem();
      // The other answer is shown; what was typed stays.
      if (error instanceof ApiFailure && error.code === 'ANSWER_CHANGED') void renewMarks(client);
    },
  });
}
