import { Box, Button, Group, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import type { BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { formatUses } from '#domain/labels-bank.ts';
import { bankFacetsQuery } from '#app/lib/teacher-queries.ts';
import { ListControls, ListPage } from '#app/lib/list/ListPage.tsx';
import { useList, type List, type ListData, type OnSearch } from '#app/lib/list/use-list.ts';
import { newId } from '#app/lib/new-id.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { bankFilters } from './bank-filters.ts';
import { bankAddress } from './bank-address.ts';
import type { BankSearch } from './bank-search.ts';
import { EntrySummary, Facility } from './EntrySummary.tsx';
import { bankQuery, PAGE_SIZE } from './queries.ts';
import { columnsOf } from '#app/ui/columns.ts';

export interface BankPickerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The target test; its own questions are excluded. */
  readonly testId: string;
  /** Copies with new ids. */
  readonly onPick: (questions: readonly Question[]) => void;
}

type Chosen = ReadonlyMap<string, BankEntry>;

function Filters({
  search,
  onSearch,
  list,
}: {
  search: BankSearch;
  onSearch: OnSearch<BankSearch>;
  list: List<ListData>;
}) {
  const { data: facets } = usePageQuery(bankFacetsQuery(search.theme, search.bankOf));
  const { searchQuery: _, ...filters } = search;
  const isFiltered = filters.bankOf !== undefined || bankAddress.isNarrowed(filters);
  return (
    <ListControls list={list}>
      <SearchField
        label="Поиск по тексту, теме или метке"
        placeholder="Найти по тексту, теме или метке"
        value={list.searchQuery}
        onSearch={(searchQuery) => list.change({ searchQuery }, { replace: true })}
      />
      <Box component="details" my="sm">
        <summary>
          <Icon of={IconAdjustmentsHorizontal} />
          {isFiltered ? 'Фильтры выбраны' : 'Фильтры и порядок'}
        </summary>
        <Box {...columnsOf('11rem', { gap: '0.5rem' })}>
          {bankFilters(search, facets, onSearch).map(({ label, choices, value, onChange }) => (
            <SelectField
              key={label}
              native
              label={label}
              choices={choices}
              value={value}
              onChange={(next) => onChange(next, true)}
            />
          ))}
        </Box>
      </Box>
    </ListControls>
  );
}

function Choices({
  items,
  chosen,
  onToggle,
}: {
  items: readonly BankEntry[];
  chosen: Chosen;
  onToggle: (entry: BankEntry) => void;
}) {
  return (
    <ul>
      {items.map((entry) => (
        <li key={entry.entryId}>
          <ChoiceRow
            atTop
            type="checkbox"
            className="line-below"
            py="sm"
            checked={chosen.has(entry.entryId)}
            onChange={() => onToggle(entry)}
          >
            <EntrySummary entry={entry} />
            <Group
              gap="0 1rem"
              align="stretch"
              ps={28}
              fz="sm"
              lh={1.43}
              c="dimmed"
              className="tabular"
            >
              <span>{formatUses(entry.usesCount)}</span>
              <Facility facility={entry.facility} />
            </Group>
          </ChoiceRow>
        </li>
      ))}
    </ul>
  );
}

function Picking({ onClose, testId, onPick }: Omit<BankPickerProps, 'opened'>) {
  const [search, setSearch] = useState<BankSearch>({});
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const onSearch: OnSearch<BankSearch> = (next) => setSearch(next);
  const list = useList({
    query: usePageQuery(bankQuery(search, testId)),
    search,
    onSearch,
    address: bankAddress,
    pageSize: PAGE_SIZE,
    // Colleagues may share their banks.
    leadsOn: true,
  });
  const toggle = (entry: BankEntry) => {
    const next = new Map(chosen);
    if (!next.delete(entry.entryId)) next.set(entry.entryId, entry);
    setChosen(next);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Вопросы из банка"
      size="lg"
      footer={
        <Button
          disabled={chosen.size === 0}
          onClick={() => {
            onPick([...chosen.values()].map(({ question }) => copiedQuestion(question, newId)));
            onClose();
          }}
        >
          {chosen.size === 0
            ? 'Выберите вопросы'
            : `Добавить ${formatCount(chosen.size, QUESTIONS)}`}
        </Button>
      }
    >
      <ListPage
        list={list}
        counted={QUESTIONS}
        controls={<Filters search={search} onSearch={onSearch} list={list} />}
        notes={
          list.total !== null &&
          list.total > 0 && (
            <Text size="sm" c="dimmed" aria-hidden>
              Найдено: {formatCount(list.total, QUESTIONS)}
            </Text>
          )
        }
        none={
          <EmptyState heading="Других вопросов в банке пока нет">
            Вопросы попадают сюда сами из тестов, которые пишет владелец банка.
          </EmptyState>
        }
        nothing={{ message: 'Измените запрос или сбросьте фильтры.' }}
      >
        {({ items }) => <Choices items={items} chosen={chosen} onToggle={toggle} />}
      </ListPage>
    </Modal>
  );
}

/** A modal to pick bank questions for a test; the selection persists across pages. */
export function BankPicker({ opened, ...rest }: BankPickerProps) {
  return opened ? <Picking {...rest} /> : null;
}
