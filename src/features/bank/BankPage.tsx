import { Button, Group, Stack } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import type { BankEntry } from '#contract/bank.ts';
import { QUESTIONS } from '#domain/format.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { useDialogRecord, useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { LeaveGuard } from '#app/ui/overlays/LeaveGuard.tsx';
import { bankFacetsQuery, refreshTests } from '#app/lib/teacher-queries.ts';
import { useFormDraft } from '#app/lib/form-draft.ts';
import { ListFilters } from '#app/lib/list/ListFilters.tsx';
import { ListPage } from '#app/lib/list/ListPage.tsx';
import { useList, type OnSearch } from '#app/lib/list/use-list.ts';
import { isNotFound } from '#app/lib/failure-messages.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SharingModal } from '#app/lib/sharing/SharingModal.tsx';
import { AppendModal } from '#app/drafts/AppendModal.tsx';
import type { PickedTest } from '#app/drafts/TestPicker.tsx';
import { newId } from '#app/lib/new-id.ts';
import { bankFilters } from './bank-filters.ts';
import { bankAddress, type BankSearch } from './bank-search.ts';
import { DoneNote, UnsavedNote, type BankAction } from './BankNotes.tsx';
import { BankRows } from './BankRows.tsx';
import { EditEntryModal } from './EditEntryModal.tsx';
import { StoredEntries, type EntryEdit } from './edited-entry.ts';
import { bankQuery, PAGE_SIZE, renewBank } from './queries.ts';
import { RemoveEntryModal } from './RemoveEntryModal.tsx';

/** Appends a copy of the question to one of the teacher's tests. */
function AddToTestModal({
  entry,
  onClose,
  onAdded,
}: {
  entry: BankEntry;
  onClose: () => void;
  onAdded: (test: PickedTest) => void;
}) {
  const [copies] = useState(() => [copiedQuestion(entry.question, newId)]);
  return (
    <AppendModal
      title="Добавить вопрос в тест"
      verb="Добавить"
      questions={copies}
      noteOf={({ id }) =>
        entry.uses.some(({ testId }) => testId === id)
          ? 'В этом тесте вопрос уже есть: добавится ещё одна копия.'
          : null
      }
      none="Тестов пока нет: создайте первый в «Моих тестах»."
      onClose={onClose}
      onSent={onAdded}
    />
  );
}

type OpenModal = { kind: 'add' | 'remove'; entry: BankEntry } | { kind: 'edit'; edited: EntryEdit };

const UNSAVED = 'Правки вопросов банка не сохранены. Если уйти, они пропадут.';

const asItIs = (entry: BankEntry): EntryEdit => ({
  entry,
  question: entry.question,
  theme: entry.theme,
});

const isOf =
  ({ entryId }: BankEntry) =>
  ({ entry }: EntryEdit) =>
    entry.entryId === entryId;

export interface BankPageProps {
  /** The person for whom unsaved edits are loaded. */
  viewerId: string;
  /** State of the page from the URL. */
  search: BankSearch;
  onSearch: OnSearch<BankSearch>;
}

function NoQuestions({ isOwn }: { isOwn: boolean }) {
  return isOwn ? (
    <EmptyState
      heading="В банке пока нет вопросов"
      action={<Link to="/tests/my/created">К моим тестам</Link>}
    >
      Вопросы попадают сюда сами, как только вы пишете их в любом своём тесте.
    </EmptyState>
  ) : (
    <EmptyState heading="В этом банке пока нет вопросов">
      Вопросы попадают в банк сами, как только их пишут в тестах его владельца.
    </EmptyState>
  );
}

function ClosedBank() {
  return (
    <EmptyState
      heading="Этот банк вам не открыт"
      action={
        <Link to="/bank" search={{}}>
          К своему банку
        </Link>
      }
    >
      Владелец закрыл доступ к нему, или ссылка устарела.
    </EmptyState>
  );
}

/** «Банк вопросов»: the teacher's questions, searched, filtered and paged on the server. */
export function BankPage({ viewerId, search, onSearch }: BankPageProps) {
  const client = useQueryClient();
  const query = usePageQuery(bankQuery(search));
  const { data: facets, problem: facetsProblem } = usePageQuery(
    bankFacetsQuery(search.theme, search.bankOf),
  );
  const isOwn = search.bankOf === undefined;
  const list = useList({
    query,
    search,
    onSearch,
    address: bankAddress,
    pageSize: PAGE_SIZE,
    leadsOn: !isOwn || (facets ? facets.shared.length > 0 : facetsProblem === null ? null : false),
  });
  const [openModal, setOpenModal] = useState<OpenModal | null>(null);
  const { restored, save } = useFormDraft({ kind: 'bank', owner: viewerId }, StoredEntries);
  // Edits interrupted by an expired session are offered again.
  const [unsaved, setUnsaved] = useState<readonly EntryEdit[]>(restored ?? []);
  // A ref, so that typing does not re-render the list behind the form.
  const typing = useRef<EntryEdit | null>(null);
  const [isTyping, setTyping] = useState(false);
  const onTyped = useCallback((typed: EntryEdit | null) => {
    typing.current = typed;
    setTyping(typed !== null);
  }, []);
  const [sharing, setSharing] = useDialogState<'bank'>('sharing');
  const [done, setDone] = useState<BankAction | null>(null);

  // A late reply closes its own modal only, not one opened since.
  const close = () => setOpenModal((now) => (now === openModal ? null : now));
  const without = (all: readonly EntryEdit[], entry: BankEntry) => {
    const isIt = isOf(entry);
    return all.filter((one) => !isIt(one));
  };
  const drop = ({ entry }: EntryEdit) => setUnsaved((all) => without(all, entry));
  const edit = (entry: BankEntry) =>
    setOpenModal({ kind: 'edit', edited: unsaved.find(isOf(entry)) ?? asItIs(entry) });
  const editedBefore = useDialogRecord(
    'bank-entry',
    openModal?.kind === 'edit' ? openModal.edited.entry.entryId : null,
  );
  const entryBefore = query.data?.items.find(({ entryId }) => entryId === editedBefore);
  if (openModal === null && entryBefore) edit(entryBefore);
  const tell = (next: BankAction) => {
    setDone(next);
    close();
  };
  const onSaved = (saved: EntryEdit, rest: EntryEdit | null) => {
    void renewBank(client);
    // Edits of a form closed meanwhile, unless discarded.
    const isIt = isOf(saved.entry);
    setUnsaved((all) => all.flatMap((one) => (isIt(one) ? (rest ?? []) : one)));
    setDone({ kind: 'saved', entry: saved.entry });
    if (rest === null) close();
  };
  return (
    <Stack>
      <ListPage
        list={list}
        counted={QUESTIONS}
        controls={
          <>
            {isOwn && (facets?.total ?? 0) > 0 && (
              <Group className="wide-on-phones">
                <Button
                  size="sm"
                  variant="default"
                  leftSection={<Icon of={IconUsers} />}
                  onClick={() => setSharing('bank')}
                >
                  Доступ коллег…
                </Button>
              </Group>
            )}
            <ListFilters
              list={list}
              counted={QUESTIONS}
              search={{
                label: 'Поиск по тексту, теме или метке',
                placeholder: 'Найти по тексту, теме или метке',
                shortPlaceholder: 'Найти вопрос',
              }}
              filters={bankFilters(search, facets, onSearch)}
            />
          </>
        }
        notes={
          <>
            {unsaved.map((edited) => (
              <UnsavedNote
                key={edited.entry.entryId}
                edited={edited}
                onGoOn={() => setOpenModal({ kind: 'edit', edited })}
                onDrop={() => drop(edited)}
              />
            ))}
            {done && (
              <DoneNote key={done.entry.entryId} done={done} onUndone={() => setDone(null)} />
            )}
          </>
        }
        none={<NoQuestions isOwn={isOwn} />}
        nothing={{
          message: 'Измените запрос или сбросьте фильтры: тогда будут видны все вопросы банка.',
        }}
        problem={isNotFound(query.problem) && <ClosedBank />}
      >
        {({ items }) => (
          <BankRows
            items={items}
            isOwn={isOwn && !query.isPrevious}
            onAdd={(entry) => setOpenModal({ kind: 'add', entry })}
            onEdit={edit}
            onRemove={(entry) => setOpenModal({ kind: 'remove', entry })}
          />
        )}
      </ListPage>
      <LeaveGuard
        isDirty={isTyping || unsaved.length > 0}
        message={UNSAVED}
        onSignedOut={() => {
          const typed = typing.current;
          save(typed ? [...without(unsaved, typed.entry), typed] : unsaved);
        }}
      />
      <SharingModal
        target={sharing === 'bank' ? { kind: 'bank' } : null}
        onClose={() => setSharing(null)}
      />
      {openModal?.kind === 'add' && (
        <AddToTestModal
          entry={openModal.entry}
          onClose={close}
          onAdded={(test) => {
            refreshTests(client);
            tell({ kind: 'added', entry: openModal.entry, test });
          }}
        />
      )}
      {openModal?.kind === 'edit' && (
        <EditEntryModal
          edited={openModal.edited}
          onTyped={onTyped}
          onClose={(typed) => {
            drop(openModal.edited);
            if (typed) setUnsaved((all) => [...all, typed]);
            close();
          }}
          onSaved={onSaved}
        />
      )}
      {openModal?.kind === 'remove' && (
        <RemoveEntryModal
          entry={openModal.entry}
          onClose={close}
          onRemoved={() => tell({ kind: 'removed', entry: openModal.entry })}
        />
      )}
    </Stack>
  );
}
