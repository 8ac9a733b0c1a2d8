import { Flex, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconUserCheck,
  IconUserPlus,
} from '@tabler/icons-react';
import { useState } from 'react';
import { ROLE } from '#contract/auth.ts';
import { formatNumber } from '#domain/format.ts';
import { roleOfWord } from '#domain/role-labels.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { Pager } from '#app/ui/data/Pager.tsx';
import { lastPage } from '#app/ui/data/pages.ts';
import { RoleBadge } from '#app/ui/data/RoleBadge.tsx';
import { type Sign, StatePill } from '#app/ui/data/StatePill.tsx';
import type { KnownRow, RowState } from './outcome.ts';

const PAGE_SIZE = 50;

const STATES: Readonly<Record<RowState, Sign & { label: string }>> = {
  unknown: { icon: IconCircleDashed, tone: 'quiet', label: 'Проверяется' },
  good: { icon: IconUserPlus, tone: 'ink', label: 'Будет создана' },
  made: { icon: IconCheck, tone: 'ok', label: 'Создана' },
  exists: { icon: IconUserCheck, tone: 'warn', label: 'Уже есть' },
  wrong: { icon: IconAlertTriangle, tone: 'bad', label: 'Ошибка' },
};

function State({ state, problems }: Pick<KnownRow, 'state' | 'problems'>) {
  const { label, ...sign } = STATES[state];
  const color = state === 'exists' ? 'dimmed' : 'var(--app-bad-text)';
  return (
    <Flex direction="column" align={{ base: 'flex-end', sm: 'flex-start' }} gap={4} miw={0}>
      <StatePill {...sign}>{label}</StatePill>
      {problems.map((problem) => (
        <Text key={problem} span size="sm" c={color} maw="24rem" ta={{ base: 'end', sm: 'start' }}>
          {problem}
        </Text>
      ))}
    </Flex>
  );
}

function Role({ text }: { text: string }) {
  const role = roleOfWord(text);
  return role === null ? <span>{text}</span> : <RoleBadge role={role} />;
}

const COLUMNS: readonly [DataColumn<KnownRow>, ...DataColumn<KnownRow>[]] = [
  {
    key: 'name',
    head: 'Имя и почта',
    renderCell: ({ row }) => (
      <Stack gap={2} miw={0} className="break-anywhere">
        <Text span inherit fw={500}>
          {row.userName || 'Без имени'}
        </Text>
        <Text span size="sm" c="dimmed">
          {row.email || 'без почты'}
        </Text>
        {row.className !== undefined && row.className !== '' && (
          <Text span size="sm" c="dimmed">
            {roleOfWord(row.role) === ROLE.student
              ? `класс ${row.className}`
              : `класс ${row.className}: в него входят только ученики`}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: 'role', head: 'Роль', renderCell: ({ row }) => <Role text={row.role} /> },
  { key: 'state', head: 'Итог', renderCell: (row) => <State {...row} /> },
  {
    key: 'line',
    head: 'Строка',
    isFigure: true,
    renderCell: ({ row }) => formatNumber(row.line),
  },
];

const isFaulty = ({ state }: KnownRow) => state === 'wrong' || state === 'exists';

/** The rows of the file, paged, each with its expected or actual result. */
export function PreviewRows({ rows }: { rows: readonly KnownRow[] }) {
  const [onlyFaulty, setOnlyFaulty] = useState(false);
  const [page, setPage] = useState(1);
  const faulty = rows.filter(isFaulty);
  const shown = onlyFaulty ? faulty : rows;
  const at = Math.min(page, lastPage({ total: shown.length, pageSize: PAGE_SIZE }));
  return (
    <div>
      <ChoiceRow
        type="checkbox"
        checked={onlyFaulty}
        onChange={(checked) => {
          setOnlyFaulty(checked);
          setPage(1);
        }}
      >
        Только с ошибками ({formatNumber(faulty.length)})
      </ChoiceRow>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          Строк с ошибками нет
        </Text>
      ) : (
        <div className="card-from-tablet">
          <DataTable
            caption="Строки файла"
            rows={shown.slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE)}
            rowKey={({ row }) => String(row.line)}
            columns={COLUMNS}
          />
        </div>
      )}
      <Pager page={at} pageSize={PAGE_SIZE} total={shown.length} onPage={setPage} />
    </div>
  );
}
