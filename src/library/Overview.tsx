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
import { parseDuration } from '#domain/duration.ts';
import { formatPoints } from '#domain/format.ts';
import { formatDuration, formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { useNow } from '#app/offline/use-now.ts';
import { DefinitionRows, type DefinitionRow } from '#app/ui/DefinitionRows.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import classes from './Overview.module.css';

const EVERY_MS = 15_000;

function useRows(test: TestDetails, now: number): DefinitionRow[] {
  const { timeZone } = useDevice();
  // A lifecycle in place of a status: the test is met by who manages it and does not take it.
  const isManaged = v.is(TestLifecycle, test.status);
  const rows: DefinitionRow[] = [
    { icon: IconClock, label: 'Время', value: formatDuration(parseDuration(test.duration)) },
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
  /** Under the rows: what may be done, and whether the device is ready. */
  children: ReactNode;
}

/** What is worth knowing before a test starts. */
export function Overview({ test, children }: OverviewProps) {
  const { timeZone } = useDevice();
  const now = useNow(EVERY_MS);
  const { running } = test;
  return (
    <article className={classes.page}>
      <div>
        <TestStatusPill
          status={test.status}
          opensAt={test.startDate === null ? undefined : new Date(test.startDate)}
          leftMs={running ? Date.parse(running.deadline) - now : undefined}
          now={now}
          timeZone={timeZone}
        />
        <h2 className={classes.title}>{test.title}</h2>
        <p className={classes.meta}>
          {test.subject} · {test.difficulty} · {test.owner}
        </p>
      </div>
      {test.description !== '' && (
        <RichText text={test.description} className={classes.description} />
      )}
      <DefinitionRows rows={useRows(test, now)} />
      <InlineNote icon={IconHourglassHigh}>
        Время идёт и без сети, и при закрытом приложении.
      </InlineNote>
      <div className={classes.panel}>{children}</div>
    </article>
  );
}
