import { useEffect, useRef, useState, type ComponentType } from 'react';
import { logout, ROLE } from '#contract/auth.ts';
import type { LeaveDraftsProps } from '#app/drafts/LeaveDrafts.tsx';
import { leaveDraftsPart } from '#app/drafts/leave-drafts-part.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { saveAnswers } from '#app/lib/save-answers.ts';
import { LogoutModal } from '#app/features/session/LogoutModal.tsx';
import { useSessionStore } from '#app/lib/session/session-context.ts';

interface Unfinished {
  waiting: number | null;
  unsaved: number;
  title: string | undefined;
  running: string | null;
}

interface LogoutQuestionProps {
  owner: string;
  onClose: () => void;
}

/** Asks authors of tests about unsent edits first, then everybody about answers. */
export function LogoutQuestion(props: LogoutQuestionProps) {
  const session = useSessionStore();
  const role = session.current()?.user.role;
  const mayEdit = role === ROLE.teacher || role === ROLE.admin;
  const [LeaveDrafts, setPart] = useState<ComponentType<LeaveDraftsProps> | null>(null);
  const [isDecided, setDecided] = useState(!mayEdit);
  useEffect(() => {
    if (!mayEdit) return;
    leaveDraftsPart.load().then(
      (part) => setPart(() => part),
      (cause: unknown) => {
        // They stay on the device, encrypted.
        logProblem('Правки перед выходом не проверить', { cause });
        setDecided(true);
      },
    );
  }, [mayEdit]);
  if (isDecided) return <AnswersQuestion {...props} />;
  if (!LeaveDrafts) return null;
  return <LeaveDrafts {...props} onDone={() => setDecided(true)} />;
}

/** Signs out at once, or after a confirmation if answers are unfinished on this device. */
function AnswersQuestion({ owner, onClose }: LogoutQuestionProps) {
  const { outbox } = useDevice();
  const session = useSessionStore();
  const userName = session.current()?.user.userName;
  const [unfinished, setUnfinished] = useState<Unfinished | null>(null);
  const hasOpened = useRef(false);

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
    if (hasOpened.current) return;
    hasOpened.current = true;
    const counting = outbox.unsentCount(owner).catch((cause: unknown) => {
      logProblem('Память устройства не прочитать', { cause });
      return null;
    });
    // A device that cannot be read is reported by `counting`.
    const reading = outbox.unsentAttempts(owner).catch(() => []);
    Promise.all([counting, reading, outbox.runningAttempts(owner)]).then(
      ([waiting, attempts, running]) => {
        const inMemory = attempts.flatMap(({ operations }) =>
          operations.filter(({ isStored }) => !isStored),
        );
        const unsaved = inMemory.length;
        const unsavedWaiting = inMemory.filter(({ isWaiting }) => isWaiting).length;
        if (waiting === 0 && unsaved === 0 && running.length === 0) leave.current();
        else
          setUnfinished({
            waiting: waiting === null ? null : waiting - unsavedWaiting,
            unsaved,
            title: attempts[0]?.title,
            running: running[0]?.title ?? null,
          });
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
      unsaved={unfinished?.unsaved ?? 0}
      onSave={() => saveAnswers(outbox, owner, [userName, unfinished?.title])}
      running={unfinished?.running ?? null}
    />
  );
}
