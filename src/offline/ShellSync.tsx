import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { formatShortMoment } from '#domain/format-time.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { SyncView } from '#app/outbox/types.ts';
import { AnswerStateRow } from '#app/ui/AnswerStateLine.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { SyncIndicator } from '#app/ui/SyncIndicator.tsx';
import { useDevice } from './device-context.ts';
import { logProblem } from './log.ts';
import classes from './ShellSync.module.css';
import { UnreadableNote } from './UnreadableNote.tsx';
import { useOutboxValue } from './use-outbox-value.ts';
import { useUnreadable } from './use-unreadable.ts';
import { readWaiting, type WaitingAttempt, type WaitingOperation } from './waiting.ts';

const DELIVERED: SyncView = { kind: 'delivered', count: 0 };

function labelOf({ kind, questionNumber }: WaitingOperation) {
  if (kind === 'finish') return 'Завершение теста';
  return questionNumber ?? '–';
}

/** The header's indicator on the pages around a test, with «Где мои ответы» behind it. */
export function ShellSync({ owner }: { owner: string }) {
  const [isOpen, setOpen] = useState(false);
  const readSync = useCallback((outbox: Outbox) => outbox.syncState(), []);
  const sync = useOutboxValue(readSync, DELIVERED);
  return (
    <>
      <SyncIndicator state={sync.kind} count={sync.count} onOpen={() => setOpen(true)} />
      <WaitingSheet
        owner={owner}
        count={sync.count}
        opened={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

interface WaitingSheetProps {
  owner: string;
  /** What is not on the server, answers that only memory holds included. */
  count: number;
  opened: boolean;
  onClose: () => void;
}

function WaitingSheet({ owner, count, opened, onClose }: WaitingSheetProps) {
  const { outbox, storage, serverNow, timeZone } = useDevice();
  const read = useCallback(() => readWaiting(storage, owner), [storage, owner]);
  // Null: not read, or the device does not answer; then nothing is said of what it holds.
  const waiting = useOutboxValue<readonly WaitingAttempt[] | null>(read, null);
  const hasWaiting = waiting !== null && waiting.length > 0;
  const unreadable = useUnreadable();
  const send = () => {
    outbox
      .flush({ force: true })
      .catch((cause: unknown) => logProblem('Ответы не отправить', { cause }));
  };
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title="Где мои ответы"
      footer={
        hasWaiting && (
          <Button variant="default" onClick={send}>
            Проверить сеть
          </Button>
        )
      }
    >
      <UnreadableNote />
      {hasWaiting && (
        <p className={classes.words}>
          Эти ответы хранятся на устройстве и уйдут сами, когда появится сеть. Ничего нажимать не
          нужно.
        </p>
      )}
      {waiting?.length === 0 && count === 0 && unreadable === 0 && (
        <p className={classes.words}>Все ответы на сервере. Ждать нечего.</p>
      )}
      {waiting?.map(({ attemptId, title, operations }) => (
        <section key={attemptId} className={classes.test}>
          <h3>{title}</h3>
          <ul>
            {operations.map((operation) => (
              <AnswerStateRow
                key={operation.operationId}
                label={labelOf(operation)}
                state={operation.state}
                detail={
                  operation.at !== null && formatShortMoment(operation.at, serverNow(), timeZone)
                }
              />
            ))}
          </ul>
        </section>
      ))}
    </Sheet>
  );
}
