import { Button, Flex, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Board } from '#contract/board.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import {
  extraTimeMessage,
  isCandidate,
  extraTimePlanMessage,
  readMinutes,
  type Candidate,
  type ExtraTimeReply,
} from './extra-time.ts';
import { bySurname, isOffline, isInProgress } from './rules.ts';
import { describeGrantFailure, useGrant } from './use-extra-time.ts';
import { formatContact } from './messages.ts';

const QUICK = [5, 10, 15];

type Whom = 'one' | 'all' | 'offline';

function Done({ granted, board, now }: { granted: ExtraTimeReply; board: Board; now: number }) {
  const { timeZone } = useDevice();
  const names = new Map(board.rows.map((row) => [row.attemptId, row.userName]));
  return (
    <Stack role="status">
      <p>{extraTimeMessage(granted, now, timeZone)}</p>
      {granted.skipped.length > 0 && (
        <>
          <p>Не добавлено:</p>
          <Flex component="ul" direction="column" gap="xs">
            {granted.skipped.map(({ attemptId, message }) => (
              <li key={attemptId}>
                <Text component="b" inherit fw={500}>
                  {names.get(attemptId) ?? 'Ученик'}
                </Text>
                : {message}
              </li>
            ))}
          </Flex>
        </>
      )}
    </Stack>
  );
}

/** Adds minutes for one student, for all who are writing, or for those offline. */
const PRESSED = { c: 'var(--app-primary)', bd: '1px solid var(--app-primary)' } as const;

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
  // A snapshot made at opening, so that the group does not change while the form is filled in.
  const [candidates] = useState<Candidate[]>(() => bySurname(board.rows).filter(isCandidate));
  const writing = candidates.filter(isInProgress);
  const one = candidates.find((row) => row.userId === userId);
  const [whom, setWhom] = useState<Whom>(one ? 'one' : 'all');
  const [picked, setPicked] = useState<ReadonlySet<string>>(
    () => new Set(writing.filter((row) => isOffline(row, now)).map(({ attemptId }) => attemptId)),
  );
  const [minutes, setMinutes] = useState('10');
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error, data: granted } = useGrant(board.testId);

  const chosen =
    whom === 'one' && one
      ? [one]
      : whom === 'all'
        ? writing
        : writing.filter(({ attemptId }) => picked.has(attemptId));
  const read = readMinutes(minutes);
  const minutesError = 'error' in read ? read.error : '';
  const whomError = chosen.length === 0 ? 'Выберите, кому добавить время' : '';

  const submit = () => {
    setTried(true);
    if ('error' in read || whomError !== '') return;
    mutate({ minutes: read.minutes, attemptIds: chosen.map(({ attemptId }) => attemptId) });
  };
  const toggle = (attemptId: string) => {
    const next = new Set(picked);
    if (!next.delete(attemptId)) next.add(attemptId);
    setPicked(next);
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
        <Done granted={granted} board={board} now={now} />
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
        <FieldGroup label="Кому" error={isTried ? whomError : ''}>
          {one && (
            <ChoiceRow
              py={4}
              type="radio"
              name="grant-radio"
              checked={whom === 'one'}
              onChange={() => setWhom('one')}
            >
              {one.userName}
            </ChoiceRow>
          )}
          <ChoiceRow
            py={4}
            type="radio"
            name="grant-radio"
            checked={whom === 'all'}
            onChange={() => setWhom('all')}
          >
            Всем, у кого тест идёт: {writing.length}
          </ChoiceRow>
          <ChoiceRow
            py={4}
            type="radio"
            name="grant-radio"
            checked={whom === 'offline'}
            onChange={() => setWhom('offline')}
          >
            Тем, кто был без связи
          </ChoiceRow>
        </FieldGroup>
        {whom === 'offline' && (
          <FieldGroup
            label="Кто был без связи"
            description="Отмечены те, кого сервер не слышал больше минуты. Остальных отметьте сами."
          >
            {writing.map((row) => (
              <ChoiceRow
                key={row.attemptId}
                py={4}
                type="checkbox"
                checked={picked.has(row.attemptId)}
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
        <Group gap="xs">
          {QUICK.map((n) => (
            <Button
              key={n}
              size="sm"
              variant="default"
              {...(minutes === String(n) && PRESSED)}
              aria-pressed={minutes === String(n)}
              onClick={() => setMinutes(String(n))}
            >
              {n} мин
            </Button>
          ))}
        </Group>
        <NumberField
          label="Минуты"
          description="От 1 до 1440"
          value={minutes}
          error={isTried ? minutesError : ''}
          onChange={(event) => setMinutes(event.currentTarget.value)}
        />
        {'minutes' in read && whomError === '' && (
          <p>{extraTimePlanMessage(chosen, read.minutes, now, timeZone)}</p>
        )}
      </Stack>
    </Modal>
  );
}
