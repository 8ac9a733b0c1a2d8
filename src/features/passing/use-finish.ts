import { useCallback, useState } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import type { Answering } from './use-answering.ts';

export interface Finish {
  readonly isFinishing: boolean;
  readonly finishByStudent: () => void;
  readonly finishAtDeadline: () => void;
}

/** Finishes the attempt once its answers are stored; without that the inputs open again. */
export function useFinish(
  attemptId: string,
  { commit, closeTyping, reopenTyping, files }: Answering,
  closeDialogs: (opened: null) => void,
): Finish {
  const { outbox } = useDevice();
  const [isFinishing, setFinishing] = useState(false);
  const finish = useCallback(
    async (reason: 'student' | 'deadline') => {
      setFinishing(true);
      closeTyping();
      try {
        await files.close();
        const isStored = await commit();
        if (!isStored && reason === 'student') {
          reopenTyping();
          files.reopen();
          closeDialogs(null);
          return;
        }
        await outbox.finish(attemptId, reason);
        if (reason === 'student') closeDialogs(null);
      } catch (cause) {
        logProblem('Тест не завершить', { cause });
        reopenTyping();
        files.reopen();
      } finally {
        setFinishing(false);
      }
    },
    [outbox, attemptId, commit, closeTyping, reopenTyping, files, closeDialogs],
  );
  const finishByStudent = () => void finish('student');
  const finishAtDeadline = useCallback(() => {
    closeDialogs(null);
    void finish('deadline');
  }, [finish, closeDialogs]);
  return { isFinishing, finishByStudent, finishAtDeadline };
}
