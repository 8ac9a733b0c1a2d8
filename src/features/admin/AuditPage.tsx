import { Button, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { exportAudit, type AuditEntry } from '#contract/admin.ts';
import type { Forms } from '#domain/format.ts';
import { formatClock, formatMoment } from '#domain/format-time.ts';
import { actLabel, actorLabel, describeDetails, subjectLabel } from '#domain/labels-audit.ts';
import { zoneLabel } from '#domain/zoned-time.ts';
import { download } from '#app/api/download.ts';
import { DataDownload } from '#app/lib/DataDownload.tsx';
import { useDevice } from '#app/lib/device-services.ts';
import { ListFilters } from '#app/lib/list/ListFilters.tsx';
import { ListPage } from '#app/lib/list/ListPage.tsx';
import { useList, type OnSearch } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { peopleQuery } from '#app/lib/school-queries.ts';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { DateTimeField } from '#app/ui/forms/DateTimeField.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import {
  auditAddress,
  auditFilter,
  auditFilters,
  changedAudit,
  type AuditSearch,
  isWallTime,
} from './audit-search.ts';
import { auditQuery, PAGE_SIZE } from './queries.ts';
import { ReceiptKeysModal } from './ReceiptKeysModal.tsx';

interface MomentFilterProps {
  label: string;
  name: string;
  /** Value from the URL; empty: none. */
  value: string;
  error?: string;
  onChange: (value: string) => void;
}

/** A date-time filter. A partly typed year stays in the field and out of the URL. */
function MomentFilter({ value, onChange, ...field }: MomentFilterProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  return (
    <DateTimeField
      {...field}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (next === '' || isWallTime(next)) onChange(next);
      }}
      onBlur={() => setTyped(value)}
    />
  );
}

/** A name without spaces wraps here instead of squeezing the other columns. */
const WHO = { inherit: true, maw: '16rem' } as const;
const ENTRIES: Forms = ['запись', 'записи', 'записей'];

export interface AuditPageProps {
  /** State of the page from the URL. */
  search: AuditSearch;
  onSearch: OnSearch<AuditSearch>;
}

function useColumns() {
  const { serverNow, timeZone } = useDevice();
  const columns: readonly [DataColumn<AuditEntry>, ...DataColumn<AuditEntry>[]] = [
    {
      key: 'act',
      head: 'Что сделано',
      renderCell: (entry) => (
        <Stack gap={2}>
          <Text span inherit fw={500}>
            {actLabel(entry.act)}
          </Text>
          <Text span size="sm" c="dimmed">
            {describeDetails(entry)}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'subject',
      head: 'С кем или с чем',
      renderCell: (entry) => <Text {...WHO}>{subjectLabel(entry)}</Text>,
    },
    {
      key: 'actor',
      head: 'Кто',
      renderCell: (entry) => <Text {...WHO}>{actorLabel(entry)}</Text>,
    },
    {
      key: 'at',
      head: 'Когда',
      isFigure: true,
      renderCell: ({ at, lastAt }) => {
        const begun = formatMoment(new Date(at), serverNow(), timeZone);
        const [first, last] = [at, lastAt].map((each) => formatClock(new Date(each), timeZone));
        return first === last ? begun : `${begun} – ${last}`;
      },
    },
  ];
  return columns;
}

/** The period, in the school's time zone. */
function Period({ search, onSearch }: AuditPageProps) {
  const { serverNow, timeZone } = useDevice();
  const { from = '', to = '' } = search;
  const change = (part: Record<string, unknown>) =>
    onSearch(changedAudit(search, part), { replace: true });
  return (
    <>
      <MomentFilter
        label="С"
        name="from"
        value={from}
        onChange={(value) => change({ from: value })}
      />
      <MomentFilter
        label="По"
        name="to"
        value={to}
        error={from !== '' && to !== '' && to < from ? 'Конец раньше начала' : ''}
        onChange={(value) => change({ to: value })}
      />
      <Text size="sm" c="dimmed" py={10} style={{ alignSelf: 'flex-end' }}>
        Время школы: {zoneLabel(serverNow(), timeZone)}
      </Text>
    </>
  );
}

function ReceiptKeysButton() {
  const [dialog, setDialog] = useDialogState<'open'>('receipt-keys');
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon of={IconKey} />}
        onClick={() => setDialog('open')}
      >
        Ключ квитанций
      </Button>
      <ReceiptKeysModal opened={dialog !== null} onClose={() => setDialog(null)} />
    </>
  );
}

/** «Журнал»: the audit log, newest first. */
export function AuditPage({ search, onSearch }: AuditPageProps) {
  const { timeZone } = useDevice();
  const list = useList({
    query: usePageQuery(auditQuery(search, timeZone)),
    search,
    onSearch,
    address: auditAddress,
    pageSize: PAGE_SIZE,
  });
  const people = useQuery(peopleQuery).data?.items ?? null;
  const columns = useColumns();
  const query = auditFilter(search, timeZone);
  return (
    <ListPage
      list={list}
      counted={ENTRIES}
      controls={
        <Stack gap="sm" mb="sm">
          <Group gap="xs" align="flex-start">
            <DataDownload
              label="Скачать CSV"
              fetch={(options) => download(exportAudit, { query }, options)}
            />
            <ReceiptKeysButton />
          </Group>
          <ListFilters
            list={list}
            counted={ENTRIES}
            search={{
              label: 'Поиск по имени или названию',
              placeholder: 'Имя, тест или проект',
              shortPlaceholder: 'Имя или название',
            }}
            filters={auditFilters(search, people, onSearch)}
            more={{
              fields: <Period search={search} onSearch={onSearch} />,
              filled: [search.from, search.to].filter(Boolean).length,
            }}
          />
        </Stack>
      }
      none={
        <EmptyState heading="Журнал пока пуст">
          Здесь появятся входы, изменения учётных записей, тестов, попыток и оценок, выгрузки
          данных.
        </EmptyState>
      }
      nothing={{
        heading: 'Ничего не нашлось',
        message: 'Измените имя, время или выберите другое действие.',
      }}
    >
      {({ items }) => (
        <div className="card-from-tablet">
          <DataTable
            caption="Журнал действий"
            rows={items}
            rowKey={({ id }) => id}
            columns={columns}
          />
        </div>
      )}
    </ListPage>
  );
}
