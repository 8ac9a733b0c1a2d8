import { useRef, useState } from 'react';
import type { StartOutcome } from '#app/outbox/types.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';

export type StartedHere = Extract<StartOutcome, { kind: 'started' }>;
export type RunningElsewhere = Extract<StartOutcome, { kind: 'runningElsewhere' }>;

export interface Start {
  isStarting: boolean;
  /** Message: why the test did not start. */
  problem: string | null;
  elsewhere: RunningElsewhere | null;
  start: (takeOver?: string) => void;
  /** Declines taking over from the other device. */
  cancelTakeOver: () => void;
}

const UNKNOWN_OUTCOME = {
  reachable:
    'Сервер не ответил вовремя. Нажмите ещё раз: если тест уже начался, он откроется, второй попытки не будет.',
  unreachable:
    'Нет связи с сервером. Нажмите ещё раз, когда она появится: лишней попытки не будет.',
};

/** Starts or continues a test; after an unknown outcome a retry reuses the idempotency key. */
export function useStart(testId: string, onStarted: (outcome: StartedHere) => void): Start {
  const { outbox } = useDevice();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [elsewhere, setElsewhere] = useState<RunningElsewhere | null>(null);
  const isBusy = useRef(false);

  const settle = (outcome: StartOutcome) => {
    setElsewhere(null);
    switch (outcome.kind) {
      case 'started':
        onStarted(outcome);
        return;
      case 'runningElsewhere':
        setElsewhere(outcome);
        return;
      case 'refused':
        setProblem(outcome.message);
        return;
      case 'unknown':
        setProblem(outcome.reachable ? UNKNOWN_OUTCOME.reachable : UNKNOWN_OUTCOME.unreachable);
    }
  };

  const start = (takeOver?: string) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setStarting(true);
    setProblem(null);
    outbox
      .startAttempt(testId, takeOver === undefined ? {} : { takeOver })
      .then(settle, (cause: unknown) => {
        logProblem('Тест не начать', { cause });
        setProblem('Тест не начался. Нажмите ещё раз: лишней попытки не будет.');
      })
      .finally(() => {
        isBusy.current = false;
        setStarting(false);
      });
  };

  return { isStarting, problem, elsewhere, start, cancelTakeOver: () => setElsewhere(null) };
}
