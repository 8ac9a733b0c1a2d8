import { useState } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import type { UpdateVerdict } from './messages.ts';

const REFUSED: Readonly<Record<UpdateVerdict['verdict'], string | null>> = {
  applied: null,
  attemptRuns: 'Идёт тест. Обновить можно будет, когда он завершится.',
  otherTabs: 'Приложение открыто и в других вкладках. Закройте их и нажмите ещё раз.',
};

export interface ApplyUpdate {
  /** Why the last press did not update the app. */
  readonly refusal: string | null;
  readonly apply: () => void;
}

/** Activates the waiting version of the app. */
export function useApplyUpdate(duringAttempt: boolean): ApplyUpdate {
  const { worker } = useDevice();
  const [refusal, setRefusal] = useState<string | null>(null);
  const apply = () => {
    worker.applyUpdate({ duringAttempt }).then(
      (verdict) => setRefusal(REFUSED[verdict]),
      (cause: unknown) => {
        logProblem('Обновление не ответило', { cause });
        setRefusal('Обновить сейчас не получилось. Закройте приложение и откройте снова.');
      },
    );
  };
  return { refusal, apply };
}
