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
import { useList, type List, type ListData, type OnSearch } from '#app/lib/list/use-list.ts';
import { isNotFound } from '#app/lib/failure-messages.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SharingModal } from '#app/lib/sharing/SharingModal.tsx';
import { AppendModal } from '#app/drafts/AppendModal.tsx';
import type { PickedTest } from '#app/drafts/TestPicker.tsx';
import { newId } from '#app/lib/new-id.ts';
import { bankFilters } from './bank-filters.ts';
import { bankAddress } from './bank-address.ts';
import type { BankSearch } from './bank-search.ts';
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

/** Edits of entries that were not saved, with the one in the open form. */
function useEntryEdits(viewerId: string) {
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
  const without = (all: readonly EntryEdit[], entry: BankEntry) => {
    const isIt = isOf(entry);
    return all.filter((one) => !isIt(one));
  };
  return {
    unsaved,
    isDirty: isTyping || unsaved.length > 0,
    onTyped,
    /** Removes the edit; `typed`, if any, takes its place at the end. */
    replace: ({ entry }: EntryEdit, typed: EntryEdit | null) => {
      setUnsaved((all) => [...without(all, entry), ...(typed ? [typed] : [])]);
    },
    /** Removes a saved edit; `rest`: edits of a form closed meanwhile, unless discarded. */
    settle: (saved: EntryEdit, rest: EntryEdit | null) => {
      const isIt = isOf(saved.entry);
      setUnsaved((all) => all.flatMap((one) => (isIt(one) ? (rest ?? []) : one)));
    },
    save: () => {
      const typed = typing.current;
      save(typed ? [...without(unsaved, typed.entry), typed] : unsaved);
    },
  };
}

function BankControls<Data extends ListData>({
  list,
  hasShare,
  filters,
  onShare,
}: {
  list: List<Data>;
  hasShare: boolean;
  filters: ReturnType<typeof bankFilters>;
  onShare: () => void;
}) {
  return (
    <>
      {hasShare && (
        <Group className="wide-on-phones">
          <Button
            size="sm"
            variant="default"
            leftSection={<Icon of={IconUsers} />}
            onClick={onShare}
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
        filters={filters}
      />
    </>
  );
}

function Notes({
  unsaved,
  done,
  onGoOn,
  onDrop,
  onUndone,
}: {
  unsaved: readonly EntryEdit[];
  done: BankAction | null;
  onGoOn: (edited: EntryEdit) => void;
  onDrop: (edited: EntryEdit) => void;
  onUndone: () => void;
}) {
  return (
    <>
      {unsaved.map((edited) => (
        <UnsavedNote
          key={edited.entry.entryId}
          edited={edited}
          onGoOn={() => onGoOn(edited)}
          onDrop={() => onDrop(edited)}
        />
      ))}
      {done && <DoneNote key={done.entry.entryId} done={done} onUndone={onUndone} />}
    </>
  );
}

function EntryModal({
  modal,
  onClose,
  onDone,
  onTyped,
  onLeft,
  onSaved,
}: {
  modal: OpenModal;
  onClose: () => void;
  onDone: (done: BankAction) => void;
  onTyped: (typed: EntryEdit | null) => void;
  onLeft: (edited: EntryEdit, typed: EntryEdit | null) => void;
  onSaved: (saved: EntryEdit, rest: EntryEdit | null) => void;
}) {
  const client = useQueryClient();
  return (
    <>
      {modal.kind === 'add' && (
        <AddToTestModal
          entry={modal.entry}
          onClose={onClose}
          onAdded={(test) => {
            refreshTests(client);
            onDone({ kind: 'added', entry: modal.entry, test });
          }}
        />
      )}
      {modal.kind === 'edit' && (
        <EditEntryModal
          edited={modal.edited}
          onTyped={onTyped}
          onClose={(typed) => {
            onLeft(modal.edited, typed);
            onClose();
          }}
          onSaved={onSaved}
        />
      )}
      {modal.kind === 'remove' && (
        <RemoveEntryModal
          entry={modal.entry}
          onClose={onClose}
          onRemoved={() => onDone({ kind: 'removed', entry: modal.entry })}
        />
      )}
    </>
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
  const edits = useEntryEdits(viewerId);
  const [sharing, setSharing] = useDialogState<'bank'>('sharing');
  const [done, setDone] = useState<BankAction | null>(null);

  // A late reply closes its own modal only, not one opened since.
  const close = () => setOpenModal((now) => (now === openModal ? null : now));
  const edit = (entry: BankEntry) =>
    setOpenModal({ kind: 'edit', edited: edits.unsaved.find(isOf(entry)) ?? asItIs(entry) });
  const editedBefore = useDialogRecord(
    'bank-entry',
    openModal?.kind === 'edit' ? openModal.edited.entry.entryId : null,
  );
  const entryBefore = query.data?.items.find(({ entryId }) => entryId === editedBefore);
  if (openModal === null && entryBefore) edit(entryBefore);
  const onSaved = (saved: EntryEdit, rest: EntryEdit | null) => {
    void renewBank(client);
    edits.settle(saved, rest);
    setDone({ kind: 'saved', entry: saved.entry });
    if (rest === null) close();
  };
  return (
    <Stack>
      <ListPage
        list={list}
        counted={QUESTIONS}
        controls={
          <BankControls
            list={list}
            hasShare={isOwn && (facets?.total ?? 0) > 0}
            filters={bankFilters(search, facets, onSearch)}
            onShare={() => setSharing('bank')}
          />
        }
        notes={
          <Notes
            unsaved={edits.unsaved}
            done={done}
            onGoOn={(edited) => setOpenModal({ kind: 'edit', edited })}
            onDrop={(edited) => edits.replace(edited, null)}
            onUndone={() => setDone(null)}
          />
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
      <LeaveGuard isDirty={edits.isDirty} message={UNSAVED} onSignedOut={edits.save} />
      <SharingModal
        target={sharing === 'bank' ? { kind: 'bank' } : null}
        onClose={() => setSharing(null)}
      />
      {openModal && (
        <EntryModal
          modal={openModal}
          onClose={close}
          onDone={(next) => {
            setDone(next);
            close();
          }}
          onTyped={edits.onTyped}
          onLeft={edits.replace}
          onSaved={onSaved}
        />
      )}
    </Stack>
  );
}
