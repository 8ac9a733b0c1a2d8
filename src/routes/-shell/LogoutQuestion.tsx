import { useEffect, useRef, useState } from 'react';
import { logout } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { logProblem } from '#app/offline/log.ts';
import { LogoutSheet } from '#app/session/LogoutSheet.tsx';
import { useSessionStore } from '#app/session/session-context.ts';

interface Unfinished {
  waiting: number | null;
  running: string | null;
}

/** Signs out at once when nothing is unfinished on this device, else after a question. */
export function LogoutQuestion({ owner, onClose }: { owner: string; onClose: () => void }) {
  const { outbox } = useDevice();
  const session = useSessionStore();
  const [unfinished, setUnfinished] = useState<Unfinished | null>(null);
  const hasAsked = useRef(false);

  const leave = useRef(() => {
    const token = session.token();
    session.end('logout');
    onClose();
    // The server may be out of reach: then the token ends there by its own time.
    call(logout, {}, { token }).catch((cause: unknown) =>
      logProblem('Выход не дошёл до сервера', { cause }),
    );
  });

  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    const counting = outbox.unsentCount(owner).catch((cause: unknown) => {
      logProblem('Память устройства не прочитать', { cause });
      return null;
    });
    Promise.all([counting, outbox.runningAttempts(owner)]).then(
      ([waiting, running]) => {
        if (waiting === 0 && running.length === 0) leave.current();
        else setUnfinished({ waiting, running: running[0]?.title ?? null });
      },
      (cause: unknown) => {
        logProblem('Память устройства не прочитать', { cause });
        leave.current();
      },
    );
  }, [outbox, owner]);

  return (
    <LogoutSheet
      opened={unfinished !== null}
      onClose={onClose}
      onLogout={() => leave.current()}
      waiting={unfinished === null ? 0 : unfinished.waiting}
      running={unfinished?.running ?? null}
    />
  );
}
