import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Board } from '#contract/board.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { isCandidate, extraTimePlanMessage, readMinutes, type Candidate } from './extra-time.ts';
import { GrantResult } from './GrantResult.tsx';
import { bySurname, isOffline, isInProgress } from './rules.ts';
import { describeGrantFailure, useGrant } from './use-extra-time.ts';
import { formatContact } from './messages.ts';

const QUICK = [5, 10, 15];

type Recipients = 'one' | 'all' | 'offline';

const PRESSED = { c: 'var(--app-primary)', bd: '1px solid var(--app-primary)' } as const;

/** The recipients of the time, from a snapshot: the group does not change while the form is filled in. */
function useRecipients(board: Board, userId: string | null, now: number) {
  const [candidates] = useState<Candidate[]>(() => bySurname(board.rows).filter(isCandidate));
  const writing = candidates.filter(isInProgress);
  const one = candidates.find((row) => row.userId === userId);
  const [kind, choose] = useState<Recipients>(one ? 'one' : 'all');
  const [picked, setPicked] = useState<ReadonlySet<string>>(
    () => new Set(writing.filter((row) => isOffline(row, now)).map(({ attemptId }) => attemptId)),
  );
  const toggle = (attemptId: string) => {
    const next = new Set(picked);
    if (!next.delete(attemptId)) next.add(attemptId);
    setPicked(next);
  };
  const isPicked = (attemptId: string) => picked.has(attemptId);
  const chosen =
    kind === 'one' && one
      ? [one]
      : kind === 'all'
        ? writing
        : writing.filter(({ attemptId }) => isPicked(attemptId));
  return { one, writing, kind, choose, isPicked, toggle, chosen };
}

function RecipientsFields({
  of: { one, writing, kind, choose, isPicked, toggle },
  error,
  now,
}: {
  of: ReturnType<typeof useRecipients>;
  error: string;
  now: number;
}) {
  return (
    <>
      <FieldGroup label="Кому" error={error}>
        {one && (
          <ChoiceRow
            py={4}
            type="radio"
            name="grant-radio"
            checked={kind === 'one'}
            onChange={() => choose('one')}
          >
            {one.userName}
          </ChoiceRow>
        )}
        <ChoiceRow
          py={4}
          type="radio"
          name="grant-radio"
          checked={kind === 'all'}
          onChange={() => choose('all')}
        >
          Всем, у кого тест идёт: {writing.length}
        </ChoiceRow>
        <ChoiceRow
          py={4}
          type="radio"
          name="grant-radio"
          checked={kind === 'offline'}
          onChange={() => choose('offline')}
        >
          Тем, кто был без связи
        </ChoiceRow>
      </FieldGroup>
      {kind === 'offline' && (
        <FieldGroup
          label="Кто был без связи"
          description="Отмечены те, кого сервер не слышал больше минуты. Остальных отметьте сами."
        >
          {writing.map((row) => (
            <ChoiceRow
              key={row.attemptId}
              py={4}
              type="checkbox"
              checked={isPicked(row.attemptId)}
              onChange={() => toggle(row.attemptId)}
            >
              {row.userName}{' '}
              <Text span c="dimmed" fz="sm">
                {formatContact(row, now)}
              </Text>
            </ChoiceRow>
          ))}
        </FieldGroup>
      )}
    </>
  );
}

/** Minutes to type, with buttons for the usual ones. */
function MinutesField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string;
  onChange: (value: string) => void;
}) {
  return (
    <>
      <Group gap="xs">
        {QUICK.map((n) => (
          <Button
            key={n}
            size="sm"
            variant="default"
            {...(value === String(n) && PRESSED)}
            aria-pressed={value === String(n)}
            onClick={() => onChange(String(n))}
          >
            {n} мин
          </Button>
        ))}
      </Group>
      <NumberField
        label="Минуты"
        description="От 1 до 1440"
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}

/** Adds minutes for one student, for all who are writing, or for those offline. */
export function ExtraTimeModal({
  board,
  userId,
  now,
  onClose,
}: {
  board: Board;
  /** Opened for this student; null: the group is chosen in the modal. */
  userId: string | null;
  now: number;
  onClose: () => void;
}) {
  const { timeZone } = useDevice();
  const recipients = useRecipients(board, userId, now);
  const [minutes, setMinutes] = useState('10');
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error, data: granted } = useGrant(board.testId);

  const { chosen } = recipients;
  const read = readMinutes(minutes);
  const recipientsError = chosen.length === 0 ? 'Выберите, кому добавить время' : '';

  const submit = () => {
    setTried(true);
    if ('error' in read || recipientsError !== '') return;
    mutate({ minutes: read.minutes, attemptIds: chosen.map(({ attemptId }) => attemptId) });
  };

  if (granted) {
    return (
      <Modal
        opened
        onClose={onClose}
        title="Добавить время"
        footer={
          <Button data-autofocus onClick={onClose}>
            Готово
          </Button>
        }
      >
        <GrantResult granted={granted} board={board} now={now} />
      </Modal>
    );
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Добавить время"
      footer={
        <>
          <div role="alert">{error && <FieldError>{describeGrantFailure(error)}</FieldError>}</div>
          <Button loading={isPending} onClick={submit}>
            Добавить
          </Button>
          <Button variant="default" onClick={onClose}>
            Отменить
          </Button>
        </>
      }
    >
      <Stack>
        <RecipientsFields of={recipients} error={isTried ? recipientsError : ''} now={now} />
        <MinutesField
          value={minutes}
          error={isTried && 'error' in read ? read.error : ''}
          onChange={setMinutes}
        />
        {'minutes' in read && recipientsError === '' && (
          <p>{extraTimePlanMessage(chosen, read.minutes, now, timeZone)}</p>
        )}
      </Stack>
    </Modal>
  );
}
