import { Box, Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, useEffect, useEffectEvent } from 'react';
import { restoreAttempt } from '#contract/attempts.ts';
import type { GradingEntry } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { useTurnFocus } from '#app/ui/use-turn-focus.ts';
import { isDialogOpen } from '#app/ui/overlays/Modal.tsx';
import { isShortcut, useShortcuts } from '#app/ui/shortcuts.ts';
import { AnswerPane } from './AnswerPane.tsx';
import type { GradeDrafts } from './drafts.ts';
import { FailedGrades } from './FailedGrades.tsx';
import { FilterLine } from './FilterLine.tsx';
import type { GradingSearch } from './grading-search.ts';
import { columnsFromDesktop } from '#app/ui/columns.ts';
import { cx } from '#app/ui/cx.ts';
import classes from './grading.module.css';
import { itemOf, mergeQueue, findNextPending } from './queue.ts';
import { QueueList } from './QueueList.tsx';
import { queueQuery, renewMarks } from './queries.ts';
import type { FailedGrade, Failures } from './use-failures.ts';

interface GradingKeys {
  onNext: () => void;
  onPrevious: () => void;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** By physical key, so that the Russian layout works too. */
const KEYS: Readonly<Record<string, keyof GradingKeys>> = {
  ArrowRight: 'onNext',
  ArrowLeft: 'onPrevious',
  KeyJ: 'onNext',
  KeyK: 'onPrevious',
};

/** Keyboard navigation of the queue: ← → or K J, inside a field Alt+K and Alt+J. */
function useGradingKeys(keys: GradingKeys): void {
  const { isOn } = useShortcuts();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const name = KEYS[event.code];
    if (!name || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    if (isDialogOpen()) return;
    const isLetter = event.code.startsWith('Key');
    // Alt+arrow is reserved for the browser and for moving by words.
    if (isField(event.target) ? !(isLetter && event.altKey) : event.altKey && !isLetter) return;
    if (isLetter && !event.altKey && !(isOn && isShortcut(event))) return;
    event.preventDefault();
    keys[name]();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

export interface AnswersViewProps {
  testId: string;
  search: GradingSearch;
  onSearch: OnSearch<GradingSearch>;
  drafts: GradeDrafts;
  failures: Failures;
  /** Opens the answer of a failed grade that is not in this queue. */
  onFailed: (failed: FailedGrade) => void;
  /** Questions of the test with the number of ungraded answers. */
  questions: readonly { question: Question; number: number; pending: number; answered: number }[];
}

/** A just deleted attempt; its deletion can be undone. */
interface DeletedAttempt {
  readonly attemptId: string;
  readonly message: string;
}

const NONE: readonly Question[] = [];

/** The loaded entries of the queue; graded ones stay in their place. */
function useQueue(testId: string, search: GradingSearch) {
  const query = useInfiniteQuery(queueQuery(testId, search));
  const [queue, setQueue] = useState<{ source: unknown; entries: GradingEntry[] }>({
    source: null,
    entries: [],
  });
  if (query.data && queue.source !== query.data) {
    const fresh = query.data.pages.flatMap((page) => page.items);
    setQueue({ source: query.data, entries: mergeQueue(queue.entries, fresh) });
  }
  const replaceEntry = (saved: GradingEntry) =>
    setQueue(({ source, entries: before }) => ({
      source,
      entries: before.map((each) => (itemOf(each) === itemOf(saved) ? saved : each)),
    }));
  return { query, all: queue.entries, replaceEntry };
}

/** Deletes an attempt from the queue; undone on request. */
function useDeletedAttempt(onProblem: (message: string) => void) {
  const client = useQueryClient();
  const [deleted, setDeleted] = useState<DeletedAttempt | null>(null);
  const undoDelete = ({ attemptId }: DeletedAttempt) => {
    call(restoreAttempt, { params: { attemptId } })
      .then(() => {
        setDeleted(null);
        return renewMarks(client);
      })
      .catch((error: unknown) => onProblem(describeFailure(error)));
  };

  const onDelete = (entry: GradingEntry) => {
    setDeleted({
      attemptId: entry.attemptId,
      message: `${entry.userName}: попытка ${entry.attemptNumber} удалена.`,
    });
    void renewMarks(client);
  };

  return { deleted, undoDelete, onDelete };
}

/** Number of ungraded answers. */
function countPending(
  entries: readonly GradingEntry[],
  questions: AnswersViewProps['questions'],
  search: GradingSearch,
  hasMore: boolean,
): number {
  const loaded = entries.filter((entry) => entry.points === null).length;
  // Answers that are not loaded yet count as ungraded, too. The answers of one attempt are few.
  const counted = questions
    .filter(({ question }) => (search.questionId ?? question.questionId) === question.questionId)
    .reduce((sum, { pending: waiting }) => sum + waiting, 0);
  const isWhole = !hasMore || search.attemptId !== undefined;
  return isWhole ? loaded : Math.max(loaded, counted);
}

function Notice({ children }: { children: string }) {
  return (
    <InlineNote tone="warn" role="status">
      {children}
    </InlineNote>
  );
}

function DeletedNote({ deleted, onUndo }: { deleted: DeletedAttempt; onUndo: () => void }) {
  return (
    <InlineNote
      role="status"
      action={
        <Button size="sm" variant="default" onClick={onUndo}>
          Вернуть попытку
        </Button>
      }
    >
      {deleted.message} Её ответы и оценки сохранены.
    </InlineNote>
  );
}

/** The opened entry of the queue, and the navigation from it. */
function useOpenedEntry(
  entries: readonly GradingEntry[],
  search: GradingSearch,
  onSearch: OnSearch<GradingSearch>,
) {
  const found = entries.findIndex((entry) => itemOf(entry) === search.item);
  const index = found === -1 ? 0 : found;
  const [focusedBy, setFocusedBy] = useState<string | null>(null);
  const open = (entry: GradingEntry | undefined, how: { replace: boolean; focus: boolean }) => {
    if (!entry) return;
    setFocusedBy(how.focus ? itemOf(entry) : null);
    onSearch({ ...search, item: itemOf(entry) }, { replace: how.replace });
  };
  const step = (by: 1 | -1) => open(entries[index + by], { replace: true, focus: true });
  useGradingKeys({ onNext: () => step(1), onPrevious: () => step(-1) });
  const close = () => {
    const { item: _, ...rest } = search;
    onSearch(rest, { replace: true });
  };
  return { index, current: entries[index], open, close, step, focusedBy };
}

/** Moves the focus between list and answer where only one of them is shown. */
function usePaneFocus(isBeside: boolean, opened: string | undefined) {
  const panes = useRef<HTMLDivElement>(null);
  const findInPanes = (selector: string) => panes.current?.querySelector<HTMLElement>(selector);
  useTurnFocus({
    isNarrow: !isBeside,
    opened: opened ?? null,
    findList: () => findInPanes('nav'),
    findHeading: () => findInPanes('article h2'),
    findRow: (item) => findInPanes(`[data-item="${item}"]`),
  });
  return panes;
}

/** Loading or failure, before the first page. */
function QueueState({ query }: Pick<ReturnType<typeof useQueue>, 'query'>) {
  if (query.data) return null;
  if (query.error) return <QueryProblem error={query.error} onRetry={() => void query.refetch()} />;
  return <RowsSkeleton />;
}

/** The queue beside the answer; on phones one at a time. */
export function AnswersView({
  testId,
  search,
  onSearch,
  drafts,
  failures,
  onFailed,
  questions,
}: AnswersViewProps) {
  const client = useQueryClient();
  const { query, all, replaceEntry } = useQueue(testId, search);
  const [notice, setNotice] = useState<string | null>(null);
  const { deleted, undoDelete, onDelete } = useDeletedAttempt(setNotice);
  const entries = all.filter((entry) => entry.attemptId !== deleted?.attemptId);
  const { index, current, open, close, step, focusedBy } = useOpenedEntry(
    entries,
    search,
    onSearch,
  );
  // On phones the list is shown first.
  const isBeside = useMedia('(min-width: 1024px)');
  const shown = current && (isBeside || search.item !== undefined) ? itemOf(current) : null;
  const shownQuestions = useMemo(
    () => query.data?.pages[0]?.questions.map(({ question }) => question) ?? NONE,
    [query.data],
  );
  const panes = usePaneFocus(isBeside, search.item);
  const afterSave = (saved: GradingEntry, replaced: string | null, isDone: boolean) => {
    replaceEntry(saved);
    setNotice(replaced);
    const next = findNextPending(entries, index) ?? entries[index + 1];
    // A teacher who has navigated elsewhere or typed on is not moved to the next answer.
    if (isDone && next && itemOf(next) !== itemOf(saved))
      open(next, { replace: true, focus: true });
    void renewMarks(client);
  };

  const openFailed = (failed: FailedGrade) => {
    const entry = entries.find((each) => itemOf(each) === failed.item);
    if (entry) open(entry, { replace: search.item !== undefined, focus: true });
    else onFailed(failed);
  };

  const pending = countPending(entries, questions, search, query.hasNextPage);
  return (
    <>
      <FilterLine search={search} onSearch={onSearch} questions={questions} entry={current} />
      <FailedGrades
        testId={testId}
        drafts={drafts}
        failures={failures}
        except={shown}
        onBack={openFailed}
        onSaved={replaceEntry}
      />
      {deleted && <DeletedNote deleted={deleted} onUndo={() => undoDelete(deleted)} />}
      {notice !== null && <Notice>{notice}</Notice>}
      <QueueState query={query} />
      {query.data && !current && deleted === null && <Nothing search={search} />}
      {query.data && current && (
        <Box
          ref={panes}
          {...COLUMNS}
          className={cx(COLUMNS.className, classes.panes)}
          data-open={search.item === undefined ? undefined : true}
        >
          <QueueList
            entries={entries}
            current={itemOf(current)}
            drafts={drafts}
            waiting={pending}
            total={query.data.pages[0]?.total ?? entries.length}
            hasMore={query.hasNextPage}
            isLoading={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
            onOpen={(entry) => open(entry, { replace: search.item !== undefined, focus: false })}
          />
          <QuestionPictures of={shownQuestions}>
            <AnswerPane
              key={itemOf(current)}
              testId={testId}
              entry={current}
              place={{ index, count: entries.length }}
              isLast={pending === 0 || (pending === 1 && current.points === null)}
              isOpened={search.item !== undefined}
              takesFocus={focusedBy === itemOf(current)}
              isOneAttempt={search.attemptId !== undefined}
              drafts={drafts}
              failures={failures}
              onStep={step}
              onBack={close}
              onSaved={afterSave}
              onDeleted={() => onDelete(current)}
            />
          </QuestionPictures>
        </Box>
      )}
    </>
  );
}

const COLUMNS = columnsFromDesktop('20rem minmax(0, 1fr)', '1.5rem');

function Nothing({ search }: { search: GradingSearch }) {
  const isWaiting = search.show === undefined && search.attemptId === undefined;
  return (
    <EmptyState heading={isWaiting ? 'Всё проверено' : 'Ответов пока нет'}>
      {isWaiting
        ? 'Ответы, которые нужно оценить вручную, появятся здесь, когда их сдадут. Оценки, поставленные по ключу, видны под «Все ответы»'
        : 'Они появятся здесь, когда работы будут сданы'}
    </EmptyState>
  );
}
