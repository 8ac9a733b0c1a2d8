import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { createProject, updateProject } from '#contract/projects.ts';
import type { CallInput } from '#contract/route.ts';
import { sendForm } from '#app/api/send-form.ts';
import { renewLists, renewProject } from '#app/features/projects/queries.ts';

/** `isAllSent`: the request was fully sent. */
export type SaveOutcome =
  | { kind: 'saved' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: unknown; isAllSent: boolean };

/** Bytes of the whole form. */
interface Progress {
  sent: number;
  total: number;
}

type Save = <Route extends typeof createProject | typeof updateProject>(
  route: Route,
  /** Null: no changes, nothing is sent. */
  input: CallInput<Route> | null,
) => Promise<SaveOutcome>;

/** Sends the project form with progress; can be cancelled, and is aborted on unmount. */
export function useSaveProject(): { save: Save; cancel: () => void; progress: Progress | null } {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(null);
  const cancel = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);

  const save: Save = async (route, input) => {
    if (input === null) return { kind: 'saved' };
    const abort = new AbortController();
    running.current = abort;
    let last: Progress = { sent: 0, total: 0 };
    setProgress(last);
    const { body } = input;
    const id = body && 'Id' in body ? body.Id : null;
    try {
      await sendForm(route, input, {
        signal: abort.signal,
        onProgress: (now) => {
          last = now;
          setProgress(now);
        },
      });
      void (id === null ? renewLists(client) : renewProject(client, id));
      return { kind: 'saved' };
    } catch (error) {
      const isAllSent = last.total > 0 && last.sent >= last.total;
      // The effect is unknown: refetch the lists.
      if (isAllSent) void renewLists(client);
      if (abort.signal.aborted) return { kind: 'cancelled' };
      return { kind: 'failed', error, isAllSent };
    } finally {
      running.current = null;
      setProgress(null);
    }
  };
  return { save, cancel, progress };
}
