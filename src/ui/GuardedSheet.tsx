import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { GuardDialog } from './GuardDialog.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import { Sheet, type SheetProps } from './Sheet.tsx';

export interface GuardedSheetProps extends SheetProps {
  /** Something was typed that is not saved yet. */
  isDirty: boolean;
  /** What would be lost: one sentence. */
  unsaved: string;
}

function showAgain(content: HTMLElement | null): void {
  const dialog = content?.closest('dialog');
  if (dialog && !dialog.open) dialog.showModal();
}

/** A sheet with a form: asks before something typed is lost, however it is closed or left. */
export function GuardedSheet({ isDirty, unsaved, children, ...sheet }: GuardedSheetProps) {
  const { opened, onClose } = sheet;
  const [isAsking, setAsking] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  if (isAsking && !opened) setAsking(false);
  // The browser may close a dialog without asking at a second Escape: it stays, and under the question.
  useLayoutEffect(() => {
    if (isAsking) showAgain(content.current);
  }, [isAsking]);
  useEffect(() => showAgain(content.current));
  return (
    <>
      <Sheet {...sheet} onClose={() => (isDirty ? setAsking(true) : onClose())}>
        <div ref={content}>{children}</div>
      </Sheet>
      {opened && isAsking && (
        <GuardDialog
          title="Закрыть без сохранения?"
          words={unsaved}
          stay="Вернуться к форме"
          leave="Закрыть без сохранения"
          onStay={() => setAsking(false)}
          onLeave={() => {
            setAsking(false);
            onClose();
          }}
        />
      )}
      {opened && <LeaveGuard isDirty={isDirty} words={unsaved} />}
    </>
  );
}
