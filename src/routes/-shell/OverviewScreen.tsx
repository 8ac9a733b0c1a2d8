import { Box, Button } from '@mantine/core';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import type { TestDetails } from '#contract/tests.ts';
import { Overview } from '#app/features/library/Overview.tsx';
import { mayBeginOffline, startTerms } from '#app/features/library/start-terms.ts';
import { TakeOverModal } from '#app/features/library/TakeOverModal.tsx';
import { useStart, type Start } from '#app/features/library/use-start.ts';
import { useTestDetails } from '#app/features/library/use-test-details.ts';
import { isNotFound } from '#app/lib/failure-messages.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { ReadinessCheck } from '#app/offline/ReadinessCheck.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { useNow } from '#app/lib/use-now.ts';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { LocalAttempt } from '#app/outbox/types.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { ShellPage } from './ShellPage.tsx';
import { ShellRouterLink } from './ShellRouterLink.tsx';

// Lazy: few tests may begin without a network.
const OfflineStart = lazyPart(
  () => import('#app/features/offline-start/OfflineStart.tsx'),
  (module) => module.OfflineStart,
);

/** The signed-in person's newest attempt of a test stored on this device. */
function useLocalAttempt(testId: string): LocalAttempt | null {
  const owner = useSession()?.user.userId;
  const read = useCallback(
    (outbox: Outbox) =>
      owner === undefined ? Promise.resolve(null) : outbox.attemptByTest(owner, testId),
    [owner, testId],
  );
  return useOutboxValue<LocalAttempt | null>(read, null);
}

const EVERY_MS = 15_000;

/** The overview of a test before its start: facts, readiness check and start button. */
export function OverviewScreen({ testId }: { testId: string }) {
  const { data, problem, retry } = useTestDetails(testId);
  useLeaveWhenAbsent(testId, problem);
  const frame = { title: 'О тесте', back: useBackLink() };
  if (data) {
    return <LoadedOverview frame={frame} test={data.data} savedAt={data.savedAt} />;
  }
  return (
    <ShellPage {...frame}>
      {problem === null ? (
        <RowsSkeleton />
      ) : (
        !isNotFound(problem) && <QueryProblem what="test" error={problem} onRetry={retry} />
      )}
    </ShellPage>
  );
}

/** Back to the list that the test was opened from, with its search. */
function useBackLink(): { to: string; label: string } {
  const cameFrom = useLocation({ select: ({ state }) => state.cameFrom });
  if (cameFrom !== undefined && /^\/tests(?:\?|$)/.test(cameFrom)) {
    return { to: cameFrom, label: 'К базе тестов' };
  }
  const isMine = cameFrom !== undefined && /^\/tests\/my(?:\?|$)/.test(cameFrom);
  return { to: isMine ? cameFrom : '/tests/my', label: 'К моим тестам' };
}

/** Test not found: redirects to the list, unless this device has an attempt on it. */
function useLeaveWhenAbsent(testId: string, problem: unknown): void {
  const navigate = useNavigate();
  const { outbox } = useDevice();
  const owner = useSession()?.user.userId;
  const isAbsent = isNotFound(problem);
  useEffect(() => {
    if (!isAbsent || owner === undefined) return;
    void outbox
      .attemptByTest(owner, testId)
      .then((attempt) =>
        attempt?.state === 'running'
          ? navigate({ to: '/tests/$testId', params: { testId }, replace: true })
          : navigate({ to: '/tests', replace: true }),
      );
  }, [isAbsent, owner, testId, outbox, navigate]);
}

interface LoadedProps {
  frame: { title: string; back: { to: string; label: string } };
  test: TestDetails;
  savedAt: string | null;
}

function LoadedOverview({ frame, test, savedAt }: LoadedProps) {
  usePageTitle(`${frame.title}: ${test.title}`);
  const session = useSessionStore();
  const owner = useSession()?.user.userId ?? '';
  const navigate = useNavigate();
  const { storage } = useDevice();
  const timeZone = useShownZone();
  const now = useNow(EVERY_MS);
  const localAttempt = useLocalAttempt(test.id);
  const open = useCallback(
    () => void navigate({ to: '/tests/$testId', params: { testId: test.id } }),
    [navigate, test.id],
  );
  const start = useStart(test.id, ({ started }) => {
    session.extend(started.expiresAt);
    open();
  });
  const terms = startTerms(test, now, timeZone);
  const hasLocalAttempt =
    localAttempt !== null &&
    localAttempt.state !== 'finished' &&
    !localAttempt.gone &&
    !localAttempt.takenOver;
  const isClosed = terms.kind === 'closed' && !hasLocalAttempt;
  // Its part checks the device, too.
  const hasOfflineStart = !hasLocalAttempt && mayBeginOffline(test, now, timeZone);
  return (
    <ShellPage
      {...frame}
      ownTestId={test.id}
      actions={
        hasLocalAttempt ? (
          <Button onClick={open}>
            {localAttempt.state === 'running' && localAttempt.deadline > now
              ? 'Продолжить'
              : 'Что с моими ответами'}
          </Button>
        ) : (
          terms.kind !== 'closed' && <StartButton start={start} terms={terms} />
        )
      }
    >
      {/* Below 1024 px an arrow in the header leads back. */}
      <Box component="p" mb="sm" className="from-desktop">
        <ShellRouterLink to={frame.back.to}>{frame.back.label}</ShellRouterLink>
      </Box>
      <SavedAt savedAt={savedAt} />
      <Overview test={test}>
        {isClosed && <InlineNote>{terms.message}</InlineNote>}
        {hasOfflineStart ? (
          <OfflineStart test={test} owner={owner} onBegun={open} />
        ) : (
          !isClosed && <ReadinessCheck isDurable={storage.durable} />
        )}
        {test.lastAttemptId !== null && (
          <Link to="/tests/$testId/results" params={{ testId: test.id }}>
            Результаты попыток
          </Link>
        )}
        <div role="alert">{start.problem !== null && <FieldError>{start.problem}</FieldError>}</div>
      </Overview>
      <TakeOverModal start={start} />
    </ShellPage>
  );
}

function StartButton({ start, terms }: { start: Start; terms: { kind: 'start' | 'continue' } }) {
  return (
    <Button loading={start.isStarting} onClick={() => start.start()}>
      {terms.kind === 'continue' ? 'Продолжить' : 'Начать тест'}
    </Button>
  );
}
