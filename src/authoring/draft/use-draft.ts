import { useCallback, useState } from 'react';
import { getDraft } from '#contract/drafts.ts';
import type { Question } from '#contract/questions.ts';
import { call } from '#app/api/call.ts';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import type { Draft } from './draft.ts';

/** The working copy of a test, for as long as one of its editors is open. */
export function useDraft(testId: string): {
  draft: Draft | null;
  problem: unknown;
  retry: () => void;
} {
  const { data, problem, retry } = usePageQuery({
    queryKey: ['tests/draft', testId],
    queryFn: ({ signal }) => call(getDraft, { params: { id: testId } }, { signal }),
  });
  const [edited, setEdited] = useState<readonly Question[] | null>(null);
  const change = useCallback<Draft['change']>(
    (_label, edit) => setEdited((now) => edit(now ?? data?.questions ?? [])),
    [data],
  );
  if (!data) return { draft: null, problem, retry };
  const nothing = async () => undefined;
  return {
    problem: null,
    retry,
    draft: {
      testId,
      questions: edited ?? data.questions,
      lifecycle: data.lifecycle,
      hasUnpublished: data.hasUnpublished,
      state: { kind: 'server', at: new Date(data.updatedAt) },
      change,
      undoLabel: null,
      redoLabel: null,
      undo: () => undefined,
      redo: () => undefined,
      conflicts: [],
      resolve: () => undefined,
      arrived: null,
      dismissArrived: () => undefined,
      flush: nothing,
      publish: nothing,
      discard: nothing,
    },
  };
}
