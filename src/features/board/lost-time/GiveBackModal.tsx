import { Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Board } from '#contract/board.ts';
import { giveTimeBack } from '#contract/lost-time.ts';
import type { BodyOf } from '#contract/route.ts';
import { formatDuration } from '#domain/format-time.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { GrantResult } from '#app/features/board/GrantResult.tsx';
import { describeGrantFailure, useKeyedGrant } from '#app/features/board/use-extra-time.ts';
import { giveBackMessage, lossReasons } from './messages.ts';
import { renewLostTime } from './queries.ts';
import { minutesOf, withMinutes, type LostRow } from './rules.ts';

/** A deadline that a device knows never becomes earlier, so the act can be undone only before it is sent. */
const UNDO_SECONDS = 15;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const TITLE = 'Вернуть минуты';

function LostRowChoice({
  lostRow,
  withSilence,
  now,
  isChosen,
  onChoose,
}: {
  lostRow: LostRow;
  withSilence: boolean;
  now: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { timeZone } = useDevice();
  const { row } = lostRow;
  return (
    <ChoiceRow atTop py={6} type="checkbox" checked={isChosen} onChange={onChoose}>
      <Text span fw={500}>
        {row.userName}
      </Text>{' '}
      <Text span className="nowrap tabular">
        {formatDuration(minutesOf(lostRow, withSilence) * MINUTE_MS)}
      </Text>
      <Text span display="block" size="sm" c="dimmed" className="tabular">
        {lossReasons(lostRow, withSilence, now, timeZone)}
        {row.state === 'closed' && ' Сервер закрыл тест ученика: он пойдёт снова.'}
      </Text>
    </ChoiceRow>
  );
}

/** Calls `onEnd` after some seconds, unless it is unmounted before. */
function Countdown({ what, onEnd }: { what: string; onEnd: () => void }) {
  const [left, setLeft] = useState(UNDO_SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left === 0) onEnd();
  }, [left, onEnd]);
  return (
    <Stack>
      <p aria-hidden>
        Вернём {what} через <span className="nowrap tabular">{Math.max(0, left)} с.</span>
      </p>
      {/* Spoken once, not every second. */}
      <VisuallyHidden component="output">
        Вернём {what} через {UNDO_SECONDS} секунд.
      </VisuallyHidden>
      <Text c="dimmed">
        Пока минуты не возвращены. Если закрыть это окно или страницу, они не вернутся. Потом отнять
        их нельзя: устройства узнают новый срок.
      </Text>
    </Stack>
  );
}

const focusOnMount = (button: HTMLButtonElement | null) => button?.focus();

type BackRequest = Omit<BodyOf<typeof giveTimeBack>, 'key'>;

function useGiveBack(testId: string) {
  const client = useQueryClient();
  const grant = useKeyedGrant<BackRequest>((body) =>
    call(giveTimeBack, { params: { id: testId }, body }),
  );
  const send = (request: BackRequest) =>
    grant.mutate(request, { onSettled: () => void renewLostTime(client) });
  return { ...grant, send };
}

/** The list to choose from; a snapshot, so that it does not change while the teacher reads it. */
function useChoice(rows: readonly LostRow[]) {
  const [all] = useState(rows);
  // Opened for silence alone, it is what the teacher came for.
  const [withSilence, setWithSilence] = useState(withMinutes(all, false).length === 0);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (attemptId: string) => {
    const next = new Set(excluded);
    if (!next.delete(attemptId)) next.add(attemptId);
    setExcluded(next);
  };
  const listed = withMinutes(all, withSilence);
  return {
    withSilence,
    setWithSilence,
    toggle,
    listed,
    hasSilence: all.some(({ lost }) => lost.minutesWithSilence > lost.minutes),
    isChosen: (attemptId: string) => !excluded.has(attemptId),
    chosen: listed.filter(({ row }) => !excluded.has(row.attemptId)),
  };
}

function ChoiceFields({ of, now }: { of: ReturnType<typeof useChoice>; now: number }) {
  return (
    <Stack>
      <FieldGroup label="Кому и за что">
        {of.listed.map((lostRow) => (
          <LostRowChoice
            key={lostRow.row.attemptId}
            lostRow={lostRow}
            withSilence={of.withSilence}
            now={now}
            isChosen={of.isChosen(lostRow.row.attemptId)}
            onChoose={() => of.toggle(lostRow.row.attemptId)}
          />
        ))}
        {of.listed.length === 0 && <Text c="dimmed">Возвращать нечего.</Text>}
      </FieldGroup>
      {of.hasSilence && (
        <ChoiceRow
          atTop
          py={6}
          type="checkbox"
          checked={of.withSilence}
          onChange={of.setWithSilence}
        >
          Считать и время без связи
          <Text span display="block" size="sm" c="dimmed">
            Без связи можно писать дальше, поэтому само оно не считается.
          </Text>
        </ChoiceRow>
      )}
      <Text size="sm" c="dimmed">
        Время взято из журнала сервера и сообщений устройств. Что в это время делал ученик, они не
        показывают.
      </Text>
    </Stack>
  );
}

/** Gives the chosen students what they lost: one act, which can be undone for 15 s. */
export function GiveBackModal({
  board,
  rows,
  now,
  onClose,
}: {
  board: Board;
  rows: readonly LostRow[];
  now: number;
  onClose: () => void;
}) {
  const choice = useChoice(rows);
  const [isWaiting, setWaiting] = useState(false);
  const { send, error, isPending, data: granted } = useGiveBack(board.testId);
  const { chosen, withSilence } = choice;
  const modal = { opened: true, onClose, title: TITLE } as const;
  const give = () => {
    setWaiting(false);
    send({ attemptIds: chosen.map(({ row }) => row.attemptId), withSilence });
  };

  if (granted)
    return (
      <Modal
        {...modal}
        footer={
          <Button key="done" ref={focusOnMount} onClick={onClose}>
            Готово
          </Button>
        }
      >
        <GrantResult granted={granted} board={board} now={now} />
      </Modal>
    );
  if (isWaiting)
    return (
      <Modal
        {...modal}
        footer={
          <>
            <Button key="undo" ref={focusOnMount} onClick={() => setWaiting(false)}>
              Не возвращать
            </Button>
            <Button key="now" variant="default" onClick={give}>
              Вернуть сразу
            </Button>
          </>
        }
      >
        <Countdown what={giveBackMessage(chosen, withSilence)} onEnd={give} />
      </Modal>
    );
  return (
    <Modal
      {...modal}
      footer={
        <>
          <div role="alert">{error && <FieldError>{describeGrantFailure(error)}</FieldError>}</div>
          <Button
            key="give"
            loading={isPending}
            disabled={chosen.length === 0}
            onClick={() => setWaiting(true)}
          >
            {chosen.length === 0 ? 'Вернуть' : `Вернуть ${giveBackMessage(chosen, withSilence)}`}
          </Button>
          <Button key="cancel" variant="default" onClick={onClose}>
            Отменить
          </Button>
        </>
      }
    >
      <ChoiceFields of={choice} now={now} />
    </Modal>
  );
}
