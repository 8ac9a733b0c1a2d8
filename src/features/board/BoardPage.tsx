import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Board, getBoard, watchBoard } from '#contract/board.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { useMayManage } from '#app/lib/sharing/use-may-manage.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { readinessQuery } from './readiness/queries.ts';
import { ReadinessSummary } from './readiness/ReadinessSummary.tsx';
import { judgeStudents } from './readiness/verdicts.ts';
import { LostTimeNote } from './lost-time/LostTimeNote.tsx';
import { StartCodePanel, type CodeChoice } from './start-code/StartCodePanel.tsx';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { useNow } from '#app/lib/use-now.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { call } from '#app/api/call.ts';
import { watch } from '#app/api/watch.ts';
import { pageSignals } from '#app/offline/signals.ts';
import { browserTimers } from '#app/api/timers.ts';
import { ExtraTimeModal } from './ExtraTimeModal.tsx';
import { BoardHead, type Trials } from './BoardHead.tsx';
import { FreshnessNote, Footing, trueAt } from './FreshnessNote.tsx';
import { CountsStrip } from './CountsStrip.tsx';
import { type FeedState, createFeed, type Feed } from './feed.ts';
import { StudentColumns } from './StudentColumns.tsx';
import { StudentModal } from './StudentModal.tsx';
import { bySurname, countsOf, isDone, phaseOf, stuckForMs, type Show } from './rules.ts';
import { StuckStudents } from './StuckStudents.tsx';

/**
 * The board of a test, with or without trials, updated while the page is open. The previous board stays visible
 * until the next one arrives.
 */
function useBoard(testId: string, trials: boolean): FeedState & Pick<Feed, 'wake'> {
  const { serverNow } = useDevice();
  const feed = useMemo(() => {
    const of = { params: { id: testId }, query: trials ? { trials: '1' as const } : {} };
    return createFeed({
      watch: (listener) => watch(watchBoard, of, listener),
      poll: (signal) => call(getBoard, of, { signal }),
      timers: browserTimers,
      random: Math.random,
      now: serverNow,
    });
  }, [testId, trials, serverNow]);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  const [lastState, setLastState] = useState(state);
  if (state.board !== null && state !== lastState) setLastState(state);
  useEffect(() => {
    feed.start();
    const stops = [pageSignals.onOnline(feed.wake), pageSignals.onVisible(feed.wake)];
    return () => {
      feed.stop();
      for (const stop of stops) stop();
    };
  }, [feed]);
  const { board, updatedAt } = state.board === null ? lastState : state;
  return { ...state, board, updatedAt, wake: feed.wake };
}

const EVERY_MS = 5_000;

/** Recipients of extra time: one student, or a group chosen in the modal. */
type Adding = { readonly userId: string | null } | null;

function Phase({ board, now }: { board: Board; now: number }) {
  const { timeZone } = useDevice();
  const phase = phaseOf(board, now);
  if (phase === 'notYet' && board.startTime !== null) {
    return (
      <InlineNote>
        Тест ещё не начался: он откроется {formatMoment(Date.parse(board.startTime), now, timeZone)}
        .
      </InlineNote>
    );
  }
  if (phase === 'over') return <InlineNote>Тест закончен: никто больше не пишет.</InlineNote>;
  return null;
}

function Nobody({ testId }: { testId: string }) {
  const mayEdit = useMayManage(testId, 'edit');
  return (
    <EmptyState
      heading="Тест никому не назначен"
      action={
        mayEdit && (
          <Link to="/tests/manage/$testId/settings" params={{ testId }}>
            К настройкам теста
          </Link>
        )
      }
    >
      Когда его назначат ученикам или классу, здесь будет видно, кто пишет и чьи ответы дошли
    </EmptyState>
  );
}

function Shown({
  board,
  feed,
  show,
  trials,
  code,
  wake,
}: {
  board: Board;
  feed: FeedState;
  show: Show;
  trials: Trials;
  code: CodeChoice;
  wake: () => void;
}) {
  // Ages stop growing when updates stop: this browser may be the one that is offline.
  const now = trueAt(feed, useNow(EVERY_MS));
  const mayGrade = useMayManage(board.testId, 'grade');
  const mayBeginOffline = useQuery(settingsQuery(board.testId)).data?.offlineStart === true;
  const reports = useQuery({ ...readinessQuery(board.testId), enabled: mayBeginOffline }).data;
  const readiness = reports && mayBeginOffline ? judgeStudents(reports.items, now) : [];
  const [opened, setOpened] = useDialogState('student');
  const [adding, setAdding] = useState<Adding>(null);
  const rows = bySurname(board.rows);
  const stuck = rows.filter((row) => stuckForMs(row, now) !== null);
  const done = rows.filter(isDone);
  const isNobody = rows.length === 0;
  const listed = show === 'stuck' ? [] : show === 'finished' ? done : rows;
  const student = rows.find(({ userId }) => userId === opened) ?? null;
  return (
    <Stack>
      <BoardHead
        board={board}
        show={show}
        trials={trials}
        codeClass={code.groupId}
        counts={{ all: rows.length, stuck: stuck.length, finished: done.length }}
        onAddTime={mayGrade ? () => setAdding({ userId: null }) : null}
      />
      <FreshnessNote feed={feed} />
      <Phase board={board} now={now} />
      {mayGrade && <LostTimeNote board={board} now={now} onGiven={wake} />}
      {mayGrade && mayBeginOffline && <StartCodePanel testId={board.testId} choice={code} />}
      {readiness.length > 0 && <ReadinessSummary testId={board.testId} judged={readiness} />}
      {isNobody ? <Nobody testId={board.testId} /> : <CountsStrip counts={countsOf(rows, now)} />}
      {show !== 'finished' && !isNobody && (
        <StuckStudents rows={stuck} now={now} isAlone={show === 'stuck'} onOpen={setOpened} />
      )}
      {show === 'finished' && done.length === 0 && (
        <Text inherit c="dimmed">
          Пока никто не сдал.
        </Text>
      )}
      <StudentColumns
        rows={listed}
        now={now}
        readiness={new Map(readiness.map((judged) => [judged.student.userId, judged]))}
        onOpen={setOpened}
      />
      <Footing feed={feed} />
      <StudentModal
        row={student}
        testId={board.testId}
        now={now}
        onClose={() => setOpened(null)}
        onAddTime={
          mayGrade
            ? (userId) => {
                setOpened(null);
                setAdding({ userId });
              }
            : null
        }
      />
      {adding && (
        <ExtraTimeModal
          board={board}
          userId={adding.userId}
          now={now}
          onClose={() => {
            setAdding(null);
            wake();
          }}
        />
      )}
    </Stack>
  );
}

interface BoardPageProps {
  testId: string;
  show: Show;
  trials: Trials;
  code: CodeChoice;
}

/** The board of a running test: who is writing, which answers arrived, and what devices reported as unsent. */
export function BoardPage({ testId, show, trials, code }: BoardPageProps) {
  const { wake, ...feed } = useBoard(testId, trials.isShown);
  if (feed.isOver && feed.problem) return <QueryProblem error={feed.problem} onRetry={wake} />;
  if (feed.board)
    return (
      <Shown board={feed.board} feed={feed} show={show} trials={trials} code={code} wake={wake} />
    );
  if (feed.problem) return <QueryProblem error={feed.problem} onRetry={wake} />;
  return <RowsSkeleton rows={8} />;
}
