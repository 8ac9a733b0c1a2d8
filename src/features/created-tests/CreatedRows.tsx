import { Box, Text } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { CreatedTest } from '#contract/authoring.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { ATTEMPTS, formatCount, formatPoints, QUESTIONS } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { useNow } from '#app/lib/use-now.ts';
import type { MenuEntry } from '#app/ui/overlays/MenuButton.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { CellHead } from '#app/ui/data/CellHead.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import { cx } from '#app/ui/cx.ts';
import list from '#app/ui/data/list.module.css';
import classes from './CreatedRows.module.css';
import { WaitingWork } from './WaitingWork.tsx';

const SMALL = { span: true, fz: { base: 'sm', md: 15 }, lh: 1.43, c: 'dimmed' } as const;
const EVERY_MS = 30_000;

export interface CreatedRowsProps {
  items: readonly CreatedTest[];
  withOwner: boolean;
  onDuplicate: (test: CreatedTest) => void;
  onMove: (test: CreatedTest, before: TestLifecycle, after: TestLifecycle) => void;
  onDelete: (test: CreatedTest) => void;
}

function Row({
  test,
  now,
  withOwner,
  onDuplicate,
  onMove,
  onDelete,
}: Omit<CreatedRowsProps, 'items'> & { test: CreatedTest; now: number }) {
  const { timeZone } = useDevice();
  const navigate = useNavigate();
  const { id, lifecycle } = test;
  // A test with attempts cannot become a draft again.
  const back = test.attempts > 0 ? 'active' : 'draft';
  const actions: MenuEntry[] = [
    {
      icon: IconPencil,
      label: 'Открыть',
      onClick: () => void navigate({ to: '/tests/manage/$testId/edit', params: { testId: id } }),
    },
    { icon: IconCopy, label: 'Дублировать', onClick: () => onDuplicate(test) },
    lifecycle === 'archived'
      ? {
          icon: IconArchiveOff,
          label: 'Вернуть из архива',
          onClick: () => onMove(test, 'archived', back),
        }
      : {
          icon: IconArchive,
          label: 'В архив',
          onClick: () => onMove(test, lifecycle, 'archived'),
        },
    { icon: IconTrash, label: 'Удалить…', onClick: () => onDelete(test) },
  ];
  const about = [
    ...(withOwner ? [test.owner] : []),
    ...(test.theme === '' ? [] : [test.subject]),
    formatCount(test.totalQuestions, QUESTIONS),
    formatPoints(test.totalPoints),
  ];
  return (
    <li className={cx(list.row, classes.row)}>
      <Box miw={0} className={classes.name}>
        <Link to="/tests/manage/$testId/edit" params={{ testId: id }} className={list.link}>
          {test.title}
        </Link>
        <Text size="sm" c="dimmed" className="tabular">
          {about.join(' · ')}
        </Text>
        <WaitingWork test={test} />
      </Box>
      <span className={classes.state}>
        <CellHead>Состояние</CellHead>
        <TestStatusPill status={lifecycle} />
      </span>
      <Text {...SMALL} className={cx('tabular', classes.attempts)}>
        <CellHead>Попытки</CellHead>
        <span>{formatCount(test.attempts - test.trialAttempts, ATTEMPTS)}</span>
      </Text>
      <Text {...SMALL} className={cx('tabular', classes.updated)}>
        <span className="from-desktop">
          <CellHead>Изменено</CellHead>
        </span>
        <span className="to-desktop">изменено </span>
        <span>{formatMoment(new Date(test.updatedAt), now, timeZone)}</span>
      </Text>
      <span className={classes.menu}>
        <RowMenu label={`Действия с тестом «${test.title}»`} actions={actions} />
      </span>
    </li>
  );
}

/** Own tests as rows: with dividers on phones, as a card with columns from 1024 px. */
export function CreatedRows({ items, ...rest }: CreatedRowsProps) {
  const now = useNow(EVERY_MS);
  return (
    <div className={cx(list.list, classes.list)}>
      <div className={cx(list.head, classes.head)} aria-hidden>
        <span>Тест</span>
        <span>Состояние</span>
        <span>Попытки</span>
        <span>Изменено</span>
      </div>
      <ul>
        {items.map((test) => (
          <Row key={test.id} test={test} now={now} {...rest} />
        ))}
      </ul>
    </div>
  );
}
