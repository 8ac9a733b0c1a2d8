import { Box, Flex, Text } from '@mantine/core';
import { IconFilePlus, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { BankEntry } from '#contract/bank.ts';
import { formatUses } from '#domain/labels-bank.ts';
import { spokenQuestionLabel } from '#domain/question-label.ts';
import { CellHead } from '#app/ui/data/CellHead.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { cx } from '#app/ui/cx.ts';
import list from '#app/ui/data/list.module.css';
import classes from './Bank.module.css';
import { EntrySummary, Facility } from './EntrySummary.tsx';

interface EntryActions {
  /** A colleague's questions can only be copied. */
  isOwn: boolean;
  onAdd: (entry: BankEntry) => void;
  onEdit: (entry: BankEntry) => void;
  onRemove: (entry: BankEntry) => void;
}

/** Tests that use the question; several are shown in a popover under their count. */
function Uses({ entry: { uses, usesCount } }: { entry: BankEntry }) {
  const [only] = uses;
  // For tests of a colleague only the number is known.
  if (only === undefined) return <span>{formatUses(usesCount)}</span>;
  const link = ({ testId, name }: BankEntry['uses'][number]) => (
    <Link className="tap" to="/tests/manage/$testId/edit" params={{ testId }} title={name}>
      <Text span inherit lineClamp={2} maw="68ch" className="break-anywhere">
        {name}
      </Text>
    </Link>
  );
  if (usesCount === 1) return link(only);
  return (
    <details>
      <Box component="summary" td="underline dotted" style={{ textUnderlineOffset: '0.25em' }}>
        {formatUses(usesCount)}
      </Box>
      <ul>
        {uses.map((use) => (
          <li key={use.testId}>{link(use)}</li>
        ))}
        {usesCount > uses.length && <li>и ещё {usesCount - uses.length}</li>}
      </ul>
    </details>
  );
}

function Row({ entry, isOwn, onAdd, onEdit, onRemove }: { entry: BankEntry } & EntryActions) {
  return (
    <li className={cx(list.row, classes.row)}>
      <EntrySummary entry={entry} />
      <Flex
        display={{ base: 'flex', md: 'contents' }}
        className={cx('tabular', classes.facts)}
        wrap="wrap"
        align="center"
        justify="space-between"
        gap="xs"
        ps={28}
        fz="sm"
        lh={1.43}
        c="dimmed"
      >
        <Box flex="1 1 6rem" miw={0}>
          <CellHead>Где используется</CellHead>
          <Uses entry={entry} />
        </Box>
        <div>
          <CellHead>Решаемость</CellHead>
          <Facility facility={entry.facility} />
        </div>
      </Flex>
      <Box component="span" className={list.menu} my={{ md: '-0.5rem' }}>
        <RowMenu
          label={`Действия с вопросом «${spokenQuestionLabel(entry.question)}»`}
          actions={[
            { icon: IconFilePlus, label: 'Добавить в тест…', onClick: () => onAdd(entry) },
            ...(isOwn
              ? [
                  { icon: IconPencil, label: 'Изменить…', onClick: () => onEdit(entry) },
                  { icon: IconTrash, label: 'Убрать из банка…', onClick: () => onRemove(entry) },
                ]
              : []),
          ]}
        />
      </Box>
    </li>
  );
}

const COLUMNS = {
  '--columns': 'minmax(0, 1fr) clamp(10rem, 26%, 14rem) 7.5rem 2.5rem',
  '--row-gap': '0.5rem',
};

/** Questions as rows: with dividers on phones, as a card with columns from 1024 px. */
export function BankRows({ items, ...actions }: { items: readonly BankEntry[] } & EntryActions) {
  return (
    <Box className={cx(list.list, 'card-from-desktop')} style={COLUMNS}>
      <div className={list.head} aria-hidden>
        <span>Вопрос</span>
        <span>Где используется</span>
        <span>Решаемость</span>
      </div>
      <ul>
        {items.map((entry) => (
          <Row key={entry.entryId} entry={entry} {...actions} />
        ))}
      </ul>
    </Box>
  );
}
