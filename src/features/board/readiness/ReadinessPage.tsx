import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import {
  IconCircleCheck,
  IconClock,
  IconDeviceMobileX,
  IconPencil,
  IconPrinter,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatShortMoment, formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { useMayManage } from '#app/lib/sharing/use-may-manage.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { useNow } from '#app/lib/use-now.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { DataTable } from '#app/ui/data/DataTable.tsx';
import { PrintedPaper } from '#app/ui/data/PrintedPaper.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { StatePill, type Sign } from '#app/ui/data/StatePill.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { formatReady, formatReason, VERDICT_LABELS } from './messages.ts';
import { readinessQuery } from './queries.ts';
import { countReady, judgeStudents, type StudentVerdict, type Verdict } from './verdicts.ts';

const EVERY_MS = 15_000;

const SIGNS: Readonly<Record<Verdict, Sign>> = {
  ready: { icon: IconCircleCheck, tone: 'ok' },
  notReady: { icon: IconDeviceMobileX, tone: 'warn' },
  changed: { icon: IconDeviceMobileX, tone: 'warn' },
  old: { icon: IconClock, tone: 'quiet' },
  never: { icon: IconClock, tone: 'quiet' },
  begun: { icon: IconPencil, tone: 'info' },
};

/** «сегодня, 19:42»; a dash before the first contact. */
function useFormatContact(): (judged: StudentVerdict) => string {
  const { serverNow, timeZone } = useDevice();
  return ({ student: { lastSeenAt } }) =>
    lastSeenAt === null ? '—' : formatShortMoment(Date.parse(lastSeenAt), serverNow(), timeZone);
}

function Student({ judged: { student } }: { judged: StudentVerdict }) {
  return (
    <>
      <Text span inherit fw={500}>
        {student.userName}
      </Text>
      {student.groups.length > 0 && (
        <Text span inherit c="dimmed">
          {' '}
          {student.groups.join(', ')}
        </Text>
      )}
    </>
  );
}

function State({ judged }: { judged: StudentVerdict }) {
  const reason = formatReason(judged);
  return (
    <Group gap="0.25rem 0.625rem" py={4}>
      <StatePill {...SIGNS[judged.verdict]}>{VERDICT_LABELS[judged.verdict]}</StatePill>
      {reason !== '' && (
        <Text span size="sm" textWrap="pretty">
          {reason}
        </Text>
      )}
    </Group>
  );
}

function Students({ judged }: { judged: readonly StudentVerdict[] }) {
  const formatContact = useFormatContact();
  return (
    <div className="card-from-tablet">
      <DataTable
        caption="Готовность устройств"
        rows={judged}
        rowKey={({ student }) => student.userId}
        columns={[
          { key: 'name', head: 'Ученик', renderCell: (row) => <Student judged={row} /> },
          {
            key: 'state',
            head: 'Готовность',
            renderCell: (row) => <State judged={row} />,
            isWide: true,
            narrow: 'line',
          },
          {
            key: 'devices',
            head: 'Устройств',
            renderCell: ({ student }) => student.devices.length,
            isFigure: true,
          },
          { key: 'seen', head: 'Последняя связь', renderCell: formatContact, isFigure: true },
        ]}
      />
    </div>
  );
}

const CELL = { px: '2mm', py: '1mm', bd: '0.2mm solid #858991', ta: 'start' } as const;

/** The same list on paper. Invisible on the screen. */
function PrintedList({ title, judged }: { title: string; judged: readonly StudentVerdict[] }) {
  const { serverNow, timeZone } = useDevice();
  const formatContact = useFormatContact();
  const now = serverNow();
  return (
    <PrintedPaper>
      <h1>{title}</h1>
      <p>
        Готовность устройств, {formatMoment(now, now, timeZone)}. {formatReady(countReady(judged))}
      </p>
      <Box component="table" w="100%" mt="4mm" fz="10pt" style={{ borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            {['Ученик', 'Класс', 'Готовность', 'Последняя связь'].map((head) => (
              <Box key={head} component="th" {...CELL} fw={600}>
                {head}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {judged.map((row) => (
            <Box key={row.student.userId} component="tr" style={{ breakInside: 'avoid' }}>
              <Box component="td" {...CELL} className="break-anywhere">
                {row.student.userName}
              </Box>
              <Box component="td" {...CELL}>
                {row.student.groups.join(', ')}
              </Box>
              <Box component="td" {...CELL}>
                {[VERDICT_LABELS[row.verdict], formatReason(row)].filter(Boolean).join(': ')}
              </Box>
              <Box component="td" {...CELL}>
                {formatContact(row)}
              </Box>
            </Box>
          ))}
        </tbody>
      </Box>
    </PrintedPaper>
  );
}

function TurnedOff({ testId }: { testId: string }) {
  const mayEdit = useMayManage(testId, 'edit');
  return (
    <EmptyState
      heading="Начало без сети выключено"
      action={
        mayEdit && (
          <Link to="/tests/manage/$testId/settings" params={{ testId }}>
            К настройкам теста
          </Link>
        )
      }
    >
      Когда его включат в настройках теста, здесь будет видно, чьи устройства готовы
    </EmptyState>
  );
}

function Pending({ problem, retry }: { problem: unknown; retry: () => void }) {
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton rows={8} />;
}

function List({ testId, title }: { testId: string; title: string }) {
  const now = useNow(EVERY_MS);
  const { data, problem, retry } = usePageQuery(readinessQuery(testId));
  if (!data) return <Pending problem={problem} retry={retry} />;
  const judged = judgeStudents(data.items, now);
  return (
    <>
      <Group gap="0.5rem 1rem">
        <Text role="status" className="tabular" fz="lg" flex="1 1 12rem">
          {formatReady(countReady(judged))}
        </Text>
        <Button
          variant="default"
          leftSection={<Icon of={IconPrinter} />}
          disabled={judged.length === 0}
          onClick={() => window.print()}
        >
          Распечатать
        </Button>
      </Group>
      {judged.length === 0 ? (
        <Text c="dimmed">Тест пока никому не назначен.</Text>
      ) : (
        <Students judged={judged} />
      )}
      <PrintedList title={title} judged={judged} />
    </>
  );
}

/** Whose devices are ready for a test without a network, and why the others are not; also on paper. */
export function ReadinessPage({ testId }: { testId: string }) {
  const { data: settings, problem, retry } = usePageQuery(settingsQuery(testId));
  if (!settings) return <Pending problem={problem} retry={retry} />;
  return (
    <Stack className="with-links">
      <Link to="/tests/manage/$testId/live" params={{ testId }}>
        К ходу теста
      </Link>
      <div>
        <Title order={2}>Готовность устройств</Title>
        <Text size="sm" c="dimmed" maw="46rem" textWrap="pretty">
          Устройство сообщает о себе, когда ученик при сети открывает «Мои тесты» или страницу
          теста. Проверка действует сутки.
        </Text>
      </div>
      {settings.offlineStart ? (
        <List testId={testId} title={settings.name} />
      ) : (
        <TurnedOff testId={testId} />
      )}
    </Stack>
  );
}
