import { Box, Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { formatShortMoment } from '#domain/format-time.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { SyncView } from '#app/outbox/types.ts';
import type { UnsentAttempt, UnsentOperation } from '#app/outbox/unsent-attempts.ts';
import { AnswerStateRow } from '#app/ui/taking/AnswerStateLine.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { SyncIndicator } from '#app/ui/taking/SyncIndicator.tsx';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { preloadSaveAnswers, saveAnswers } from '#app/lib/save-answers.ts';
import { useShowAnswers } from '#app/lib/handover/use-show-answers.tsx';
import { SaveAnswersButton } from '#app/lib/SaveAnswersButton.tsx';
import { logProblem } from '#app/lib/log.ts';
import { UnreadableNote } from './UnreadableNote.tsx';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import { useUnreadable } from './use-unreadable.ts';

const NOT_STORED =
  'Не всё удалось записать на устройство: не закрывайте страницу, пока ответы не уйдут на сервер, или сохраните их в файл.';
const REFUSED =
  'Не принятые ответы остаются на устройстве. Преподаватель может помочь: покажите ему этот список.';

const DELIVERED: SyncView = { kind: 'delivered', count: 0 };

function labelOf({ kind, questionNumber }: UnsentOperation) {
  if (kind === 'finish') return 'Завершение теста';
  return questionNumber ?? '–';
}

/** Where the answers are, and what happens to them. */
function describeUnsent(operations: readonly UnsentOperation[]): string {
  if (operations.some(({ isStored }) => !isStored)) return NOT_STORED;
  if (operations.every(({ state }) => state === 'setAside')) return REFUSED;
  return 'Эти ответы хранятся на устройстве и уйдут сами, когда появится сеть. Ничего нажимать не нужно.';
}

interface ShellSyncProps {
  owner: string;
  userName?: string;
  /** For teachers, who rarely take tests: shows nothing while nothing waits. */
  hidesDelivered?: boolean;
}

/** Sync indicator in the header of pages outside a test; opens «Где мои ответы». */
export function ShellSync({ owner, userName, hidesDelivered = false }: ShellSyncProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(preloadSaveAnswers, []);
  const readSync = useCallback((outbox: Outbox) => outbox.syncState(), []);
  const sync = useOutboxValue(readSync, DELIVERED);
  if (hidesDelivered && sync.kind === 'delivered' && !isOpen) return null;
  return (
    <>
      <SyncIndicator state={sync.kind} count={sync.count} onOpen={() => setOpen(true)} />
      <UnsentModal
        owner={owner}
        userName={userName}
        count={sync.count}
        opened={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

interface UnsentModalProps {
  owner: string;
  userName: string | undefined;
  /** Unsent answers, including those only in memory. */
  count: number;
  opened: boolean;
  onClose: () => void;
}

function UnsentModal({ owner, userName, count, opened, onClose }: UnsentModalProps) {
  const { outbox, serverNow } = useDevice();
  const timeZone = useShownZone();
  const read = useCallback(() => outbox.unsentAttempts(owner), [outbox, owner]);
  // Null: not read yet, or storage does not respond; then no statement about unsent answers is made.
  const unsent = useOutboxValue<readonly UnsentAttempt[] | null>(read, null);
  const operations = unsent?.flatMap((attempt) => attempt.operations) ?? [];
  const hasUnsent = operations.length > 0;
  const unreadable = useUnreadable();
  const showAnswers = useShowAnswers();
  const send = () => {
    outbox
      .flush({ force: true })
      .catch((cause: unknown) => logProblem('Ответы не отправить', { cause }));
  };
  const save = () => saveAnswers(outbox, owner, [userName, unsent?.[0]?.title]);
  return (
    <>
      <Modal
        opened={opened}
        onClose={onClose}
        title="Где мои ответы"
        footer={
          hasUnsent && (
            <>
              <Button variant="default" onClick={send}>
                Проверить сеть
              </Button>
              <SaveAnswersButton onSave={save} />
              {showAnswers.button}
            </>
          )
        }
      >
        <UnreadableNote />
        {hasUnsent && (
          <Box component="p" c="dimmed" mb="sm">
            {describeUnsent(operations)}
          </Box>
        )}
        {unsent?.length === 0 && count === 0 && unreadable === 0 && (
          <Box component="p" c="dimmed" mb="sm">
            Все ответы на сервере. Ждать нечего.
          </Box>
        )}
        {unsent?.map(({ attemptId, title, operations }, index) => (
          <Box component="section" key={attemptId} mt={index > 0 ? 20 : 0}>
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
          </Box>
        ))}
      </Modal>
      {showAnswers.board}
    </>
  );
}
