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
import { useOutboxValue } from './use-outbox-value.ts';
import { readWaiting, type WaitingAttempt, type WaitingOperation } from './waiting.ts';

const DELIVERED: SyncView = { kind: 'delivered', count: 0 };
const NOTHING: readonly WaitingAttempt[] = [];

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
      <WaitingSheet owner={owner} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function WaitingSheet(props: { owner: string; opened: boolean; onClose: () => void }) {
  const { owner, opened, onClose } = props;
  const { outbox, storage, serverNow, timeZone } = useDevice();
  const read = useCallback(() => readWaiting(storage, owner), [storage, owner]);
  const waiting = useOutboxValue<readonly WaitingAttempt[]>(read, NOTHING);
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
        waiting.length > 0 && (
          <Button variant="default" onClick={send}>
            Проверить сеть
          </Button>
        )
      }
    >
      <p className={classes.words}>
        {waiting.length === 0
          ? 'Все ответы на сервере. Ждать нечего.'
          : 'Эти ответы хранятся на устройстве и уйдут сами, когда появится сеть. Ничего нажимать не нужно.'}
      </p>
      {waiting.map(({ attemptId, title, operations }) => (
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
