import { Box, Text } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCopy,
  IconPencil,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { CreatedTest } from '#contract/authoring.ts';
import type { AccessLevel } from '#contract/sharing.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { reaches } from '#domain/access-level.ts';
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
import { levelNote } from '#app/lib/sharing/messages.ts';
import { WaitingWork } from './WaitingWork.tsx';

const SMALL = { span: true, fz: { base: 'sm', md: 15 }, lh: 1.43, c: 'dimmed' } as const;
const EVERY_MS = 30_000;

export interface CreatedRowsProps {
  items: readonly CreatedTest[];
  withOwner: boolean;
  onDuplicate: (test: CreatedTest) => void;
  onMove: (test: CreatedTest, before: TestLifecycle, after: TestLifecycle) => void;
  onDelete: (test: CreatedTest) => void;
  onShare: (test: CreatedTest) => void;
}

/** The page of a test that opens first at the access level. */
const pageOf = (level: AccessLevel) =>
  reaches(level, 'edit')
    ? ('/tests/manage/$testId/edit' as const)
    : level === 'grade'
      ? ('/tests/manage/$testId/grading' as const)
      : ('/tests/manage/$testId/statistics' as const);

function Row({
  test,
  now,
  withOwner,
  onDuplicate,
  onMove,
  onDelete,
  onShare,
}: Omit<CreatedRowsProps, 'items'> & { test: CreatedTest; now: number }) {
  const { timeZone } = useDevice();
  const navigate = useNavigate();
  const { id, lifecycle, level } = test;
  const to = pageOf(level);
  // A test with attempts cannot become a draft again.
  const back = test.attempts > 0 ? 'active' : 'draft';
  const changes: MenuEntry[] = [
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
  ];
  const actions: MenuEntry[] = [
    {
      icon: IconPencil,
      label: 'Открыть',
      onClick: () => void navigate({ to, params: { testId: id } }),
    },
    ...(reaches(level, 'edit') ? changes : []),
    ...(level === 'owner'
      ? [
          { icon: IconUsers, label: 'Доступ коллег…', onClick: () => onShare(test) },
          { icon: IconTrash, label: 'Удалить…', onClick: () => onDelete(test) },
        ]
      : []),
  ];
  const about = [
    ...(level !== 'owner'
      ? [`${test.owner}: ${levelNote(level)}`]
      : withOwner || !test.isOwn
        ? [test.owner]
        : []),
    ...(test.theme === '' ? [] : [test.subject]),
    formatCount(test.totalQuestions, QUESTIONS),
    formatPoints(test.totalPoints),
  ];
  return (
    <li className={cx(list.row, classes.row)}>
      <Box miw={0} className={classes.name}>
        <Link to={to} params={{ testId: id }} className={list.link}>
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
      <span className={list.menu}>
        <RowMenu label={`Действия с тестом «${test.title}»`} actions={actions} />
      </span>
    </li>
  );
}

/** Own and shared tests as rows: with dividers on phones, as a card with columns from 1024 px. */
export function CreatedRows({ items, ...rest }: CreatedRowsProps) {
  const now = useNow(EVERY_MS);
  return (
    <div className={cx(list.list, 'card-from-desktop', classes.list)}>
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
