import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import type { BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { usesWords } from '#domain/labels-bank.ts';
import { newId } from '#app/offline/new-id.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { Pager } from '#app/ui/Pager.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { SearchField } from '#app/ui/SearchField.tsx';
import { SelectField } from '#app/ui/SelectField.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Bank.module.css';
import { bankFilters } from './bank-filters.ts';
import { changedBank, isNarrowed, type BankSearch } from './bank-search.ts';
import { EntrySummary, Facility } from './EntrySummary.tsx';
import { bankQuery, facetsQuery, PAGE_SIZE } from './queries.ts';

export interface BankPickerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Test into which questions go: what it has already is left out. */
  readonly testId: string;
  /** Copies with ids of their own. */
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
  const { data: facets } = usePageQuery(facetsQuery(search.theme));
  const { searchQuery: _, ...filters } = search;
  return (
    <>
      <SearchField
        label="Поиск по тексту, теме или метке"
        placeholder="Найти по тексту, теме или метке"
        value={search.searchQuery ?? ''}
        onSearch={(searchQuery) => onSearch(changedBank(search, { searchQuery }))}
      />
      <details className={classes.pickerFilters}>
        <summary>
          <IconAdjustmentsHorizontal size={20} stroke={1.75} aria-hidden />
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
      </details>
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
      <p className={classes.hint} role="status">
        {data.total > 0
          ? `Найдено: ${formatCount(data.total, QUESTIONS)}`
          : isNarrowed(search)
            ? 'Ничего не найдено. Измените запрос или фильтры.'
            : 'Других вопросов в банке пока нет: они попадают сюда сами из ваших тестов.'}
      </p>
      <ul>
        {data.items.map((entry) => (
          <li key={entry.entryId}>
            <label className={classes.choice}>
              <input
                type="checkbox"
                checked={chosen.has(entry.entryId)}
                onChange={() => onToggle(entry)}
              />
              <div>
                <EntrySummary entry={entry} />
                <div className={classes.about}>
                  <span className={classes.where}>{usesWords(entry.usesCount)}</span>
                  <Facility facility={entry.facility} />
                </div>
              </div>
            </label>
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
    <Sheet
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
    </Sheet>
  );
}

/** A sheet to find questions of the bank and add them to a test; what is chosen stays chosen from page to page. */
export function BankPicker({ opened, ...rest }: BankPickerProps) {
  return opened ? <Picking {...rest} /> : null;
}
