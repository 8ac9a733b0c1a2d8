import { Box, Button, Flex, Group, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import type { BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import { isNarrowed } from '#domain/address.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { formatUses } from '#domain/labels-bank.ts';
import { bankFacetsQuery } from '#app/authoring/queries.ts';
import { newId } from '#app/lib/new-id.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { Pager } from '#app/ui/data/Pager.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import classes from './Bank.module.css';
import { bankFilters } from './bank-filters.ts';
import { changedBank, type BankSearch } from './bank-search.ts';
import { EntrySummary, Facility } from './EntrySummary.tsx';
import { bankQuery, PAGE_SIZE } from './queries.ts';

export interface BankPickerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The target test, whose own questions are excluded. */
  readonly testId: string;
  /** Copies with new ids. */
  readonly onPick: (questions: readonly Question[]) => void;
}

type Chosen = ReadonlyMap<string, BankEntry>;

function Filters({
  search,
  onSearch,
}: {
  search: BankSearch;
  onSearch: (search: BankSearch) => void;
}) {
  const { data: facets } = usePageQuery(bankFacetsQuery(search.theme, search.bankOf));
  const { searchQuery: _, ...filters } = search;
  return (
    <>
      <SearchField
        label="Поиск по тексту, теме или метке"
        placeholder="Найти по тексту, теме или метке"
        value={search.searchQuery ?? ''}
        onSearch={(searchQuery) => onSearch(changedBank(search, { searchQuery }))}
      />
      <Box component="details" my="sm">
        <summary>
          <Icon of={IconAdjustmentsHorizontal} />
          {isNarrowed(filters) ? 'Фильтры выбраны' : 'Фильтры и порядок'}
        </summary>
        <div className={classes.pickerFields}>
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
        </div>
      </Box>
    </>
  );
}

function Choices({
  search,
  testId,
  chosen,
  onToggle,
  onPage,
}: {
  search: BankSearch;
  testId: string;
  chosen: Chosen;
  onToggle: (entry: BankEntry) => void;
  onPage: (page: number) => void;
}) {
  const { data, problem, retry, isPrevious } = usePageQuery(bankQuery(search, testId));
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (!data) return <RowsSkeleton />;
  return (
    <div aria-busy={isPrevious}>
      <Text size="sm" c="dimmed" role="status">
        {data.total > 0
          ? `Найдено: ${formatCount(data.total, QUESTIONS)}`
          : isNarrowed(search)
            ? 'Ничего не найдено. Измените запрос или фильтры.'
            : 'Других вопросов в банке пока нет: они попадают сюда сами из ваших тестов.'}
      </Text>
      <ul>
        {data.items.map((entry) => (
          <li key={entry.entryId}>
            <Flex component="label" className="line-below" gap="sm" py="sm">
              <input
                type="checkbox"
                checked={chosen.has(entry.entryId)}
                onChange={() => onToggle(entry)}
              />
              <Box flex={1} miw={0}>
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
              </Box>
            </Flex>
          </li>
        ))}
      </ul>
      <Pager page={search.page ?? 1} pageSize={PAGE_SIZE} total={data.total} onPage={onPage} />
    </div>
  );
}

function Picking({ onClose, testId, onPick }: Omit<BankPickerProps, 'opened'>) {
  const [search, setSearch] = useState<BankSearch>({});
  const [chosen, setChosen] = useState<Chosen>(new Map());
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
      <Filters search={search} onSearch={setSearch} />
      <Choices
        search={search}
        testId={testId}
        chosen={chosen}
        onToggle={toggle}
        onPage={(page) => setSearch(changedBank(search, { page }))}
      />
    </Modal>
  );
}

/** A modal to pick bank questions for a test; the selection persists across pages. */
export function BankPicker({ opened, ...rest }: BankPickerProps) {
  return opened ? <Picking {...rest} /> : null;
}
