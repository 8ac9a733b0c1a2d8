import { useEffect, useRef, useState } from 'react';
import { logout } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { LogoutModal } from '#app/features/session/LogoutModal.tsx';
import { useSessionStore } from '#app/lib/session/session-context.ts';

interface Unfinished {
  waiting: number | null;
  running: string | null;
}

/** Signs out at once, or after a confirmation if something is unfinished on this device. */
export function LogoutQuestion({ owner, onClose }: { owner: string; onClose: () => void }) {
  const { outbox } = useDevice();
  const session = useSessionStore();
  const [unfinished, setUnfinished] = useState<Unfinished | null>(null);
  const hasAsked = useRef(false);

  const leave = useRef(() => {
    const token = session.token();
    session.end('logout');
    onClose();
    // If the server is unreachable, the token expires there by itself.
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
    <LogoutModal
      opened={unfinished !== null}
      onClose={onClose}
      onLogout={() => leave.current()}
      waiting={unfinished === null ? 0 : unfinished.waiting}
      running={unfinished?.running ?? null}
    />
  );
}
