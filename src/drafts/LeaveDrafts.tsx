import { Button, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { plural } from '#domain/format.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { refusalMessage } from './sending.ts';
import { abandonDrafts, readUnsentDrafts, sendDrafts, type UnsentDrafts } from './unsent-drafts.ts';

/** A fast server sends before anybody could read a dialog. */
const SHOW_AFTER_MS = 700;

export interface LeaveDraftsProps {
  readonly owner: string;
  /** No decision is left: the sign-out continues. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const describeProblem = (error: unknown): string =>
  error instanceof ApiFailure && error.kind === 'refused'
    ? refusalMessage(error)
    : describeFailure(error);

const REMAINING =
  'Часть правок отправить нельзя: тест открыт в другой вкладке или ждёт выбора из двух версий.';

/** Before a sign-out: sends unsent edits, and lets their author decide about those that cannot be sent. */
export function LeaveDrafts({ owner, onDone, onClose }: LeaveDraftsProps) {
  const { storage } = useDevice();
  const [unsent, setUnsent] = useState<UnsentDrafts | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [isShown, setShown] = useState(false);
  const isOver = useRef(false);

  const finish = () => {
    if (isOver.current) return;
    isOver.current = true;
    onDone();
  };

  const send = async () => {
    setSending(true);
    let failure: string | null = REMAINING;
    await sendDrafts(owner, storage).catch((error: unknown) => {
      failure = describeProblem(error);
    });
    const left = await readUnsentDrafts(owner, storage);
    if (left.count === 0) {
      finish();
      return;
    }
    setUnsent(left);
    setProblem(failure);
    setSending(false);
    setShown(true);
  };

  const begin = useRef(async () => {
    const found = await readUnsentDrafts(owner, storage);
    if (found.count === 0) {
      finish();
      return;
    }
    setUnsent(found);
    setTimeout(() => setShown(true), SHOW_AFTER_MS);
    await send();
  });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void begin.current();
  }, []);

  const remove = async () => {
    await abandonDrafts(owner);
    finish();
  };

  const count = unsent?.count ?? 0;
  return (
    <Modal
      opened={isShown && unsent !== null}
      onClose={() => {
        isOver.current = true;
        onClose();
      }}
      title="Выйти из учётной записи?"
      footer={
        <>
          <div role="alert">
            {!isSending && problem !== null && <FieldError>{problem}</FieldError>}
          </div>
          <Button data-autofocus loading={isSending} onClick={() => void send()}>
            Отправить
          </Button>
          {unsent?.canStay && (
            <Button variant="default" onClick={finish}>
              Оставить зашифрованными
            </Button>
          )}
          <Button variant="default" onClick={() => void remove()}>
            Удалить
          </Button>
        </>
      }
    >
      <Stack>
        <p>
          Правки в {count} {plural(count, ['тесте', 'тестах', 'тестах'])} ещё не на сервере.
        </p>
        {unsent?.canStay ? (
          <p>
            Зашифрованные правки на этом устройстве никто не прочитает. Они откроются, когда вы
            снова войдёте здесь.
          </p>
        ) : (
          <p>Сохранить их на этом устройстве сейчас нельзя.</p>
        )}
        <p>Удалённые правки не вернуть: на сервере останется то, что сохранено там.</p>
      </Stack>
    </Modal>
  );
}
