import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { saveBankEntry, type BankEntry } from '#contract/bank.ts';
import { Theme } from '#contract/themes.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { questionLabel } from '#domain/question-label.ts';
import { call } from '#app/api/call.ts';
import { refreshTests } from '#app/authoring/queries.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { FilterBar } from '#app/ui/FilterBar.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { lastPage } from '#app/ui/pages.ts';
import { Pager } from '#app/ui/Pager.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { AddToTestSheet } from './AddToTestSheet.tsx';
import classes from './Bank.module.css';
import { bankFilters, type OnBankSearch } from './bank-filters.ts';
import { changedBank, isNarrowed, type BankSearch } from './bank-search.ts';
import { BankRows } from './BankRows.tsx';
import { EditEntrySheet } from './EditEntrySheet.tsx';
import { bankQuery, facetsQuery, PAGE_SIZE, renewBank } from './queries.ts';
import { RemoveEntrySheet } from './RemoveEntrySheet.tsx';

/** What was just done. */
type Done =
  | { kind: 'added'; entry: BankEntry; test: { id: string; title: string } }
  | { kind: 'saved'; entry: BankEntry }
  | { kind: 'removed'; entry: BankEntry };

function DoneNote({ done, onUndone }: { done: Done; onUndone: () => void }) {
  const client = useQueryClient();
  const { entry } = done;
  const name = `«${questionLabel(entry.question)}»`;
  const undo = useMutation({
    mutationFn: () => {
      const theme = Theme.options.find((one) => one === entry.theme) ?? '';
      const body = { question: entry.question, theme } as const;
      return call(saveBankEntry, { params: { entryId: entry.entryId }, body });
    },
    onSuccess: () => {
      void renewBank(client);
      onUndone();
    },
  });
  if (done.kind === 'added') {
    return (
      <InlineNote
        tone="ink"
        icon={IconCheck}
        role="status"
        action={
          <Link to="/tests/manage/$testId/edit" params={{ testId: done.test.id }}>
            Открыть тест
          </Link>
        }
      >
        Вопрос {name} добавлен в конец теста «{done.test.title}».
      </InlineNote>
    );
  }
  if (done.kind === 'saved') {
    return (
      <InlineNote tone="ink" icon={IconCheck} role="status">
        Вопрос {name} сохранён в банке. В тестах он остался прежним.
      </InlineNote>
    );
  }
  return (
    <InlineNote
      tone="ink"
      icon={IconCheck}
      role="status"
      action={
        <>
          {undo.error && <FieldError>{failureWords(undo.error)}</FieldError>}
          <Button
            size="sm"
            variant="default"
            loading={undo.isPending}
            onClick={() => undo.mutate()}
          >
            Вернуть
          </Button>
        </>
      }
    >
      Вопрос {name} убран из банка.
    </InlineNote>
  );
}

export interface BankPageProps {
  /** What the URL says. */
  search: BankSearch;
  onSearch: OnBankSearch;
}

/** «Банк вопросов»: every question of the teacher, searched, filtered and paged on the server. */
export function BankPage({ search, onSearch }: BankPageProps) {
  const client = useQueryClient();
  const { data, problem, retry, isPrevious } = usePageQuery(bankQuery(search));
  const { data: facets } = usePageQuery(facetsQuery(search.theme));
  const [sheet, setSheet] = useState<{ kind: 'add' | 'edit' | 'remove'; entry: BankEntry } | null>(
    null,
  );
  const [done, setDone] = useState<Done | null>(null);
  const page = search.page ?? 1;
  const total = data && !isPrevious ? data.total : null;
  const last = total === null ? null : lastPage({ total, pageSize: PAGE_SIZE });
  // The list has become shorter than the page in the URL.
  useEffect(() => {
    if (last !== null && page > last)
      onSearch(changedBank(search, { page: last }), { replace: true });
  }, [last, page, search, onSearch]);

  const close = () => setSheet(null);
  const tell = (next: Done) => {
    setDone(next);
    close();
  };
  if (total === 0 && !isNarrowed(search) && done === null) {
    return (
      <EmptyState
        heading="В банке пока нет вопросов"
        action={<Link to="/tests/my/created">К моим тестам</Link>}
      >
        Вопросы попадают сюда сами, как только вы пишете их в любом своём тесте.
      </EmptyState>
    );
  }
  return (
    <div className={classes.stack}>
      <FilterBar
        search={{
          label: 'Поиск по тексту, теме или метке',
          placeholder: 'Найти по тексту, теме или метке',
          shortPlaceholder: 'Найти вопрос',
          value: search.searchQuery ?? '',
          onSearch: (searchQuery) =>
            onSearch(changedBank(search, { searchQuery }), { replace: true }),
        }}
        filters={bankFilters(search, facets, onSearch)}
        found={total === null ? null : formatCount(total, QUESTIONS)}
        onReset={() => onSearch(changedBank({}, { sort: search.sort }), { replace: false })}
      />
      <VisuallyHidden component="output">
        {total !== null && `Найдено: ${formatCount(total, QUESTIONS)}`}
      </VisuallyHidden>
      {done && <DoneNote key={done.entry.entryId} done={done} onUndone={() => setDone(null)} />}
      {problem !== null ? (
        <QueryProblem error={problem} onRetry={retry} />
      ) : data ? (
        <div aria-busy={isPrevious}>
          {data.total === 0 ? (
            <EmptyState heading="Ничего не найдено">
              Измените запрос или сбросьте фильтры: тогда будут видны все ваши вопросы.
            </EmptyState>
          ) : (
            <BankRows
              items={data.items}
              onAdd={(entry) => setSheet({ kind: 'add', entry })}
              onEdit={(entry) => setSheet({ kind: 'edit', entry })}
              onRemove={(entry) => setSheet({ kind: 'remove', entry })}
            />
          )}
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            onPage={(next) => onSearch(changedBank(search, { page: next }), { replace: false })}
          />
        </div>
      ) : (
        <RowsSkeleton />
      )}
      {sheet?.kind === 'add' && (
        <AddToTestSheet
          entry={sheet.entry}
          onClose={close}
          onAdded={(test) => {
            refreshTests(client);
            tell({ kind: 'added', entry: sheet.entry, test });
          }}
        />
      )}
      {sheet?.kind === 'edit' && (
        <EditEntrySheet
          entry={sheet.entry}
          onClose={close}
          onSaved={() => {
            void renewBank(client);
            tell({ kind: 'saved', entry: sheet.entry });
          }}
        />
      )}
      {sheet?.kind === 'remove' && (
        <RemoveEntrySheet
          entry={sheet.entry}
          onClose={close}
          onRemoved={() => tell({ kind: 'removed', entry: sheet.entry })}
        />
      )}
    </div>
  );
}
