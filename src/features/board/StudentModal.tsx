import { Button, Stack, Text } from '@mantine/core';
import { IconClockPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BoardRow } from '#contract/board.ts';
import { formatClock, formatClockSeconds, formatElapsed } from '#domain/format-time.ts';
import { ANSWERS, formatCount } from '#domain/format.ts';
import { describeSilence } from '#domain/labels-silence.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { DefinitionRows, type DefinitionRow } from '#app/ui/data/DefinitionRows.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { silenceQuery } from './lost-time/queries.ts';
import { asPeriods } from './lost-time/rules.ts';
import { contactOf, isDone, isInProgress, missingOf } from './rules.ts';
import { LastContact } from './Signs.tsx';
import { formatContact, TIMES, boardStateLabel } from './messages.ts';

interface Facts {
  row: BoardRow;
  now: number;
  timeZone: string;
}

const clock = (at: string | null, timeZone: string) =>
  at === null ? '—' : formatClock(Date.parse(at), timeZone);

function lastSeen({ row, now, timeZone }: Facts): string {
  if (row.lastSeenAt === null) return 'ещё не было';
  const at = Date.parse(row.lastSeenAt);
  const clockTime = formatClockSeconds(at, timeZone);
  return contactOf(row, now).kind === 'offline'
    ? `${formatContact(row, now)}, с ${clockTime}`
    : `${clockTime}, ${formatElapsed(now - at)} назад`;
}

function rowsOf(facts: Facts): DefinitionRow[] {
  const { row, timeZone } = facts;
  const state = { label: 'Состояние', value: boardStateLabel(row, timeZone) };
  const groups = row.groups.length === 0 ? [] : [{ label: 'Класс', value: row.groups.join(', ') }];
  if (row.attemptId === null) return [...groups, state];
  return [
    ...groups,
    { label: 'Попытка', value: `№ ${row.attemptNumber ?? 1}${row.trial ? ', пробная' : ''}` },
    state,
    { label: 'Начало', value: clock(row.startedAt, timeZone) },
    { label: 'Срок', value: clock(row.deadline, timeZone) },
    { label: 'На сервере', value: `${row.answered} из ${row.totalQuestions}` },
    { label: 'Последняя связь', value: lastSeen(facts) },
    ...(row.held === 0
      ? []
      : [{ label: 'Ждут вашего решения', value: formatCount(row.held, ANSWERS) }]),
    ...(row.devices > 1
      ? [{ label: 'Смена устройства', value: formatCount(row.devices - 1, TIMES) }]
      : []),
  ];
}

/** When the device could not deliver, by its own reports. */
function DeviceSilence({
  attemptId,
  testId,
  now,
}: {
  attemptId: string;
  testId: string;
  now: number;
}) {
  const { timeZone } = useDevice();
  const { data, error } = useQuery(silenceQuery(testId, attemptId));
  if (error && !data) return 'узнать не удалось';
  if (!data) return '…';
  return describeSilence({ ...data, periods: asPeriods(data.periods) }, now, timeZone);
}

/** All that the server knows about one student's attempt. */
export function StudentModal({
  row,
  testId,
  now,
  onClose,
  onAddTime,
}: {
  row: BoardRow | null;
  testId: string;
  now: number;
  onClose: () => void;
  /** Null: the viewer may not add time. */
  onAddTime: ((userId: string) => void) | null;
}) {
  const { timeZone } = useDevice();
  return (
    <Modal
      opened={row !== null}
      onClose={onClose}
      title={row?.userName ?? ''}
      footer={
        row &&
        onAddTime &&
        row.attemptId !== null &&
        row.state !== 'finished' && (
          <Button
            variant="default"
            leftSection={<Icon of={IconClockPlus} />}
            onClick={() => onAddTime(row.userId)}
          >
            Добавить время
          </Button>
        )
      }
    >
      {row && (
        <Stack>
          <DefinitionRows
            rows={[
              ...rowsOf({ row, now, timeZone }),
              ...(row.attemptId === null
                ? []
                : [
                    {
                      label: 'Устройство',
                      value: <DeviceSilence attemptId={row.attemptId} testId={testId} now={now} />,
                    },
                  ]),
            ]}
          />
          {(missingOf(row) > 0 || isInProgress(row)) && (
            <Stack gap="xs">
              <LastContact row={row} now={now} />
              {missingOf(row) > 0 && (
                <Text size="sm" c="dimmed">
                  Это последнее слово устройства, а не подсчёт сервера: каждая правка и завершение
                  теста считаются отдельно.
                </Text>
              )}
            </Stack>
          )}
          {row.attemptId !== null && isDone(row) && (
            <Link
              className="tap"
              to="/tests/$testId/results/$attemptId"
              params={{ testId, attemptId: row.attemptId }}
            >
              Результат попытки
            </Link>
          )}
          {row.held > 0 && onAddTime && (
            <Link
              className="tap"
              to="/tests/manage/$testId/grading"
              params={{ testId }}
              search={{ view: 'held', ...(row.trial && { trials: '1' }) }}
            >
              Решить о поздних ответах
            </Link>
          )}
        </Stack>
      )}
    </Modal>
  );
}
