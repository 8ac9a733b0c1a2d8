import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import type { DraftEditor } from './draft.ts';
import { leaveDraftsPart } from './leave-drafts-part.ts';
import { draftOf } from './open-draft.ts';

/** The working copy of a test, while one of its editors is mounted. */
export function useDraft(testId: string): {
  draft: DraftEditor | null;
  problem: unknown;
  retry: () => void;
} {
  const { storage } = useDevice();
  const client = useQueryClient();
  const opened = useMemo(() => draftOf(testId, storage), [testId, storage]);
  const { draft, problem } = useSyncExternalStore(opened.subscribe, opened.current);
  useEffect(() => opened.use(), [opened]);
  useEffect(() => {
    // A sign-out without network needs it.
    leaveDraftsPart.load().catch(() => undefined);
  }, []);
  useEffect(() => {
    // If stored on the device nothing is lost by leaving, so no confirmation is needed.
    const ask = (event: BeforeUnloadEvent) => {
      if (opened.isAtRisk()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [opened]);
  const storedAt = draft?.state.kind === 'server' ? draft.state.at.getTime() : null;
  // Publishing does not change the working copy but affects lists.
  const news = storedAt === null ? null : `${storedAt} ${String(draft?.hasUnpublished)}`;
  useEffect(() => {
    // Lists, settings and the preview refetch when they are shown next.
    if (news === null) return;
    void client.invalidateQueries({ queryKey: queryKeys.tests, refetchType: 'none' });
  }, [client, news]);
  // Publishing or archiving elsewhere on the page affects the working copy.
  const { data: settings } = useQuery({ ...settingsQuery(testId), enabled: false });
  const isMoved =
    draft !== null && settings !== undefined && settings.lifecycle !== draft.lifecycle;
  useEffect(() => {
    if (isMoved) opened.look();
  }, [isMoved, opened]);
  return { draft, problem, retry: opened.retry };
}
