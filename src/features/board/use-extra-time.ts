import { useRef, useState } from 'react';
import { addTimeToMany } from '#contract/board.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import type { Grant, Granted } from './extra-time.ts';

export interface Granting {
  isSending: boolean;
  problem: string | null;
  granted: Granted | null;
  send: (minutes: number, attemptIds: readonly string[]) => void;
}

/** Adds minutes; a repeat of the same request reuses its idempotency key, so a lost reply is harmless. */
export function useGrant(testId: string): Granting {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [granted, setGranted] = useState<Granted | null>(null);
  const last = useRef<Grant | null>(null);

  async function send(minutes: number, attemptIds: readonly string[]): Promise<void> {
    const known = last.current;
    const isSame =
      known?.minutes === minutes &&
      known.attemptIds.length === attemptIds.length &&
      attemptIds.every((id) => known.attemptIds.includes(id));
    const body = isSame ? known : { key: newId(), minutes, attemptIds: [...attemptIds] };
    last.current = body;
    setSending(true);
    setProblem(null);
    try {
      setGranted(await call(addTimeToMany, { params: { id: testId }, body }));
    } catch (error) {
      const isUnclear = error instanceof ApiFailure && error.kind !== 'refused';
      setProblem(
        isUnclear
          ? `${describeFailure(error)} Нажмите ещё раз: дважды время не прибавится.`
          : describeFailure(error),
      );
    } finally {
      setSending(false);
    }
  }

  return {
    isSending,
    problem,
    granted,
    send: (minutes, attemptIds) => void send(minutes, attemptIds),
  };
}
