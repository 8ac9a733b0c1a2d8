import { Box, Stack, Text, Title } from '@mantine/core';
import {
  IconCalendarEvent,
  IconClock,
  IconHourglassHigh,
  IconListNumbers,
  IconRepeat,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import * as v from 'valibot';
import { TestLifecycle, type TestDetails } from '#contract/tests.ts';
import { grantedMs } from '#domain/deadline.ts';
import { parseDuration } from '#domain/duration.ts';
import { formatPoints } from '#domain/format.ts';
import { formatDuration, formatMoment } from '#domain/format-time.ts';
import { useShownZone } from '#app/lib/device-services.ts';
import { useNow } from '#app/lib/use-now.ts';
import { DefinitionRows, type DefinitionRow } from '#app/ui/data/DefinitionRows.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import { currentStatus } from './start-terms.ts';

const EVERY_MS = 15_000;
const MINUTE_MS = 60_000;

/** The time that a start now, or at the opening, gives; less than the test's duration if the test closes earlier. */
function formatTime(test: TestDetails, now: number): string {
  const whole = parseDuration(test.duration);
  const startedAt = Math.max(now, test.startDate === null ? now : Date.parse(test.startDate));
  const testEnd = test.endDate === null ? null : Date.parse(test.endDate);
  const granted = grantedMs({ startedAt, passMs: whole, extraMs: 0, testEnd });
  if (granted === whole || granted === 0) return formatDuration(whole);
  return `${formatDuration(Math.max(granted, MINUTE_MS))} вместо ${formatDuration(whole)}: тест закроется раньше`;
}

function useRows(test: TestDetails, now: number): DefinitionRow[] {
  const timeZone = useShownZone();
  // A lifecycle instead of a status: the viewer manages the test and does not take it.
  const isManaged = v.is(TestLifecycle, test.status);
  const rows: DefinitionRow[] = [
    { icon: IconClock, label: 'Время', value: formatTime(test, now) },
    {
      icon: IconListNumbers,
      label: 'Вопросы',
      value: `${test.totalQuestions}, всего ${formatPoints(test.totalPoints)}`,
    },
    {
      icon: IconRepeat,
      label: 'Попытки',
      value: isManaged
        ? test.attemptsCount
        : `осталось ${test.leftAttempts} из ${test.attemptsCount}`,
    },
  ];
  if (test.endDate !== null) {
    rows.push({
      icon: IconCalendarEvent,
      label: 'Открыт до',
      value: formatMoment(new Date(test.endDate), now, timeZone),
    });
  }
  return rows;
}

export interface OverviewProps {
  test: TestDetails;
  /** Shown under the rows: actions and the readiness check. */
  children: ReactNode;
}

/** The facts about a test before it starts. */
export function Overview({ test, children }: OverviewProps) {
  const timeZone = useShownZone();
  const now = useNow(EVERY_MS);
  const { running } = test;
  return (
    <Stack
      component="article"
      maw={{ md: '42rem' }}
      p={{ md: 'lg' }}
      pt={{ base: 'sm', md: 'lg' }}
      className="card-from-desktop"
    >
      <div>
        <TestStatusPill
          status={currentStatus(test, now)}
          opensAt={test.startDate === null ? undefined : new Date(test.startDate)}
          leftMs={running ? Date.parse(running.deadline) - now : undefined}
          now={now}
          timeZone={timeZone}
        />
        <Title order={2} fz={26} lh={1.2} mt="sm">
          {test.title}
        </Title>
        <Text size="sm" c="dimmed" mt="xs">
          {test.subject} · {test.difficulty} · {test.owner}
        </Text>
      </div>
      {test.description !== '' && (
        <Box maw="40rem" lh="lg">
          <RichText text={test.description} />
        </Box>
      )}
      <DefinitionRows rows={useRows(test, now)} />
      <InlineNote icon={IconHourglassHigh}>
        Время идёт и без сети, и при закрытом приложении.
      </InlineNote>
      <Stack className="with-links">{children}</Stack>
    </Stack>
  );
}
