import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useDevice } from '#app/offline/device-context.ts';
import { settingsQuery } from '#app/authoring/queries.ts';
import type { Draft } from './draft.ts';
import { draftOf } from './open-draft.ts';

/** The working copy of a test, for as long as one of its editors is open. */
export function useDraft(testId: string): {
  draft: Draft | null;
  problem: unknown;
  retry: () => void;
} {
  const { storage } = useDevice();
  const client = useQueryClient();
  const opened = useMemo(() => draftOf(testId, storage), [testId, storage]);
  const { draft, problem } = useSyncExternalStore(opened.subscribe, opened.current);
  useEffect(() => opened.use(), [opened]);
  useEffect(() => {
    // Where the device keeps it nothing is lost by leaving, so nobody is asked.
    const ask = (event: BeforeUnloadEvent) => {
      if (opened.isAtRisk()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [opened]);
  const storedAt = draft?.state.kind === 'server' ? draft.state.at.getTime() : null;
  // Publishing stores nothing new of the working copy, and is news to lists as well.
  const news = storedAt === null ? null : `${storedAt} ${String(draft?.hasUnpublished)}`;
  useEffect(() => {
    // Lists, settings and the preview read it anew when they are shown next.
    if (news === null) return;
    const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      String(queryKey[0]).startsWith('tests');
    void client.invalidateQueries({ predicate: isOther, refetchType: 'none' });
  }, [client, news]);
  // Publishing or archiving elsewhere on the page is news to the working copy.
  const { data: settings } = useQuery({ ...settingsQuery(testId), enabled: false });
  const isMoved =
    draft !== null && settings !== undefined && settings.lifecycle !== draft.lifecycle;
  useEffect(() => {
    if (isMoved) opened.look();
  }, [isMoved, opened]);
  return { draft, problem, retry: opened.retry };
}
