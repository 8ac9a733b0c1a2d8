import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { gradeItem } from '#contract/attempts.ts';
import type { GradingEntry } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import { formatPoints } from '#domain/format.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure, isRefusal } from '#app/api/failure.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { isSameDraft, type GradeDrafts } from './drafts.ts';
import { itemOf } from './queue.ts';
import { renewMarks } from './queries.ts';
import type { Failures, SubmittedGrade } from './use-failures.ts';
import { inMoment, problemOf } from './messages.ts';

const FIELDS = ['points', 'reason', 'comment'] as const;

/** The entry after a grade is saved. */
function gradedEntry({ entry, points, draft }: SubmittedGrade): GradingEntry {
  if (points === null) {
    const gradedBy = entry.keyPoints === null ? 'nobody' : 'key';
    return { ...entry, points: entry.keyPoints, gradedBy, comment: '', reason: '' };
  }
  const { comment, reason } = draft;
  return { ...entry, points, gradedBy: 'person', comment, reason };
}

/** Whether a retry may succeed: the server did not reject the grade itself. */
const isRetryable = (error: unknown) =>
  !(error instanceof ApiFailure && error.kind === 'refused' && (error.status ?? 0) < 500);

/** Saves grades; both callbacks run even after the submitting component is unmounted. */
export function useSaveGrade(of: {
  drafts: GradeDrafts;
  failures: Failures;
  /** The updated entry, an additional notice, and whether its draft was dropped. */
  onSaved: (saved: GradingEntry, notice: string | null, isDone: boolean) => void;
  onProblem: () => void;
}): UseMutationResult<ReplyOf<typeof gradeItem>, Error, SubmittedGrade> {
  const { drafts, failures, onSaved, onProblem } = of;
  const client = useQueryClient();
  const { serverNow, timeZone } = useDevice();
  return useMutation({
    mutationFn: ({ entry, points, draft }: SubmittedGrade) =>
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
    onSuccess: ({ replaced }, submitted) => {
      const item = itemOf(submitted.entry);
      // Input typed during the call is not saved and stays.
      const now = drafts.get(item);
      const isDone = now === undefined || isSameDraft(now, submitted.draft);
      if (isDone) drafts.set(item, undefined);
      failures.drop(item);
      const notice =
        replaced &&
        `Пока вы проверяли, этот ответ оценили: ${replaced.grader}, ${formatPoints(replaced.points)} ${inMoment(replaced.gradedAt, { now: serverNow(), timeZone })}. Записана ваша оценка, прежняя осталась в истории.`;
      onSaved(gradedEntry(submitted), notice, isDone);
    },
    onError: (error, submitted) => {
      const problem = problemOf(error, FIELDS);
      failures.add({
        item: itemOf(submitted.entry),
        submitted,
        problem,
        canRetry: isRetryable(error),
      });
      onProblem();
      // Shows the newer answer; the draft stays.
      if (isRefusal(error, 'ANSWER_CHANGED')) void renewMarks(client);
    },
  });
}
