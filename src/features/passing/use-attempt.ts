import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import type { SavedAnswers } from '#contract/answers.ts';
import { withReceipts } from './persisted-attempt.ts';
import { passingQuery, savedAnswersQuery } from './queries.ts';

/** The attempt of a test stored on this device. `undefined`: not read yet; null: none. */
export function useAttempt(owner: string, testId: string): AttemptView | null | undefined {
  const read = useCallback(
    async (outbox: Outbox) => {
      const local = await outbox.attemptByTest(owner, testId);
      return local && outbox.snapshot(local.attemptId);
    },
    [owner, testId],
  );
  return useOutboxValue<AttemptView | null | undefined>(read, undefined);
}

/** Fetches the deadline and the saved answers while the attempt is open; the outbox merges them. */
export function useServerState(view: AttemptView, signedIn: boolean): void {
  const { outbox } = useDevice();
  const client = useQueryClient();
  const enabled = signedIn && view.state !== 'finished';
  useQuery({ ...passingQuery(outbox, client, view.attemptId), enabled });
  useQuery({ ...savedAnswersQuery(outbox, client, view.attemptId, view.stream), enabled });
  usePersistedReceipts(view);
  useForgottenAtEnd(view);
}

/** Removes the attempt from the queries at its end: before the page knew of the finish, they stored it as running. */
function useForgottenAtEnd({ attemptId, state }: AttemptView): void {
  const client = useQueryClient();
  const isOver = state === 'finished';
  useEffect(() => {
    if (!isOver) return;
    client.removeQueries({ queryKey: queryKeys.passing(attemptId) });
    client.removeQueries({ queryKey: queryKeys.savedAnswers(attemptId) });
  }, [client, attemptId, isOver]);
}

/** Answers delivered from this device are persisted with the saved ones. */
function usePersistedReceipts({ attemptId, answers, state }: AttemptView): void {
  const client = useQueryClient();
  const isOver = state === 'finished';
  useEffect(() => {
    if (isOver) return;
    client.setQueryData<SavedAnswers>(queryKeys.savedAnswers(attemptId), (known) =>
      withReceipts(known, answers),
    );
  }, [client, attemptId, answers, isOver]);
}

const CLAIM_RETRY_MS = 2_000;
/** There is no event when the browser clears the database. */
const LOOK_EVERY_MS = 2_000;

/** Whether the browser cleared the database while the page was open; the outbox has written its rows again. */
export function useCleared(attemptId: string): [isCleared: boolean, dismiss: () => void] {
  const { outbox } = useDevice();
  const [isCleared, setCleared] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => void outbox.attempt(attemptId), LOOK_EVERY_MS);
    const unsubscribe = outbox.subscribe(({ kind }) => {
      if (kind === 'cleared') setCleared(true);
    });
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }, [outbox, attemptId]);
  return [isCleared, () => setCleared(false)];
}

/** Claims the attempt for this tab; while another tab has it, retries until that one is closed. */
export function useOneWriter({ attemptId, readOnly }: AttemptView): void {
  const { outbox } = useDevice();
  const isSecond = readOnly === 'secondTab';
  useEffect(() => {
    if (!isSecond) return;
    const timer = setInterval(() => void outbox.claimTab(attemptId), CLAIM_RETRY_MS);
    return () => clearInterval(timer);
  }, [outbox, attemptId, isSecond]);
  useEffect(() => {
    const claim = () => void outbox.claimTab(attemptId);
    claim();
    window.addEventListener('focus', claim);
    document.addEventListener('visibilitychange', claim);
    return () => {
      window.removeEventListener('focus', claim);
      document.removeEventListener('visibilitychange', claim);
      outbox.releaseTab(attemptId);
    };
  }, [outbox, attemptId]);
}
