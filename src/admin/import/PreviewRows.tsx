import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconUserCheck,
  IconUserPlus,
} from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '#domain/format.ts';
import { roleOfWord } from '#domain/role-words.ts';
import { DataTable, type DataColumn } from '#app/ui/DataTable.tsx';
import type { IconType } from '#app/ui/icon-type.ts';
import { Pager } from '#app/ui/Pager.tsx';
import { RoleBadge } from '#app/ui/RoleBadge.tsx';
import { StatePill, type Tone } from '#app/ui/StatePill.tsx';
import classes from './Import.module.css';
import type { KnownRow, RowState } from './outcome.ts';

const PAGE_SIZE = 50;

const STATES: Readonly<Record<RowState, { icon: IconType; tone: Tone; words: string }>> = {
  unknown: { icon: IconCircleDashed, tone: 'quiet', words: 'Проверяется' },
  good: { icon: IconUserPlus, tone: 'ink', words: 'Будет создана' },
  made: { icon: IconCheck, tone: 'ok', words: 'Создана' },
  exists: { icon: IconUserCheck, tone: 'warn', words: 'Уже есть' },
  wrong: { icon: IconAlertTriangle, tone: 'bad', words: 'Ошибка' },
};

function State({ state, problems }: Pick<KnownRow, 'state' | 'problems'>) {
  const { icon, tone, words } = STATES[state];
  return (
    <div className={classes.state}>
      <StatePill icon={icon} tone={tone}>
        {words}
      </StatePill>
      {problems.map((problem) => (
        <span key={problem} className={state === 'exists' ? classes.quiet : classes.problem}>
          {problem}
        </span>
      ))}
    </div>
  );
}

function Role({ text }: { text: string }) {
  const role = roleOfWord(text);
  return role === null ? text : <RoleBadge role={role} />;
}

const COLUMNS: readonly [DataColumn<KnownRow>, ...DataColumn<KnownRow>[]] = [
  {
    key: 'name',
    head: 'Имя и почта',
    renderCell: ({ row }) => (
      <div className={classes.person}>
        <span className={classes.name}>{row.userName || 'Без имени'}</span>
        <span className={classes.quiet}>{row.email || 'без почты'}</span>
      </div>
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

/** The rows of the file, a page at a time, with what will become or became of each. */
export function PreviewRows({ rows }: { rows: readonly KnownRow[] }) {
  const [onlyFaulty, setOnlyFaulty] = useState(false);
  const [page, setPage] = useState(1);
  const faulty = rows.filter(isFaulty);
  const shown = onlyFaulty ? faulty : rows;
  const at = Math.min(page, Math.max(1, Math.ceil(shown.length / PAGE_SIZE)));
  return (
    <div>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={onlyFaulty}
          onChange={(event) => {
            setOnlyFaulty(event.target.checked);
            setPage(1);
          }}
        />
        Только с ошибками ({formatNumber(faulty.length)})
      </label>
      {shown.length === 0 ? (
        <p className={classes.quiet}>Строк с ошибками нет</p>
      ) : (
        <div className={classes.card}>
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
