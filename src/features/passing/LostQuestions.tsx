import { Button, Stack, Text, Title } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { getPassing } from '#contract/tests.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { logProblem } from '#app/lib/log.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { AttemptView, StartOutcome } from '#app/outbox/types.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';

/** A start that arrives after the end would begin the next attempt. */
const MARGIN_MS = 15_000;

const SAVED_NOTE = 'Ответы, которые ждут на этом устройстве, сохранены и уйдут сами.';
const OVER = 'Время этого теста вышло, или он завершён.';

/** Why the questions are still absent; null: they are loaded. */
function problemOf(outcome: StartOutcome): string | null {
  if (outcome.kind === 'started')
    return outcome.started.questions.length > 0 ? null : 'Сервер больше не показывает их.';
  if (outcome.kind === 'refused') return outcome.message;
  if (outcome.kind === 'runningElsewhere') return 'Тест продолжается на другом устройстве.';
  return 'Сервер сейчас не отвечает. Вопросы загрузятся, когда появится связь.';
}

/** First checks that the attempt runs: without one a start would begin the next attempt. */
async function loadQuestions(
  outbox: Outbox,
  attemptId: string,
  testId: string,
): Promise<string | null> {
  const { state, deadline, serverTime } = await call(getPassing, { params: { attemptId } });
  const remainingMs = Date.parse(deadline) - Date.parse(serverTime);
  if (state !== 1 || remainingMs < MARGIN_MS) return OVER;
  return problemOf(await outbox.startAttempt(testId));
}

/**
 * An attempt with questions that are no longer readable on this device, for example after damage of the browser's
 * storage. A repeated start in its own stream loads them again, and is no further attempt.
 */
export function LostQuestions({ view, onLeave }: { view: AttemptView; onLeave: () => void }) {
  const { outbox } = useDevice();
  const { attemptId, testId, title } = view;
  const canLoad = view.readOnly === null;
  const [problem, setProblem] = useState<string | null>(null);
  usePageTitle(title);
  const load = useCallback(() => {
    loadQuestions(outbox, attemptId, testId).then(setProblem, (cause: unknown) => {
      logProblem('Вопросы не загрузить', { cause });
      setProblem(describeFailure(cause));
    });
  }, [outbox, attemptId, testId]);
  useEffect(() => {
    if (canLoad) load();
  }, [canLoad, load]);
  const retry = () => {
    setProblem(null);
    load();
  };
  if (canLoad && problem === null) return <PageSpinner label="Загружаем вопросы" />;
  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" p="md">
      <Title order={1}>{title}</Title>
      <ErrorPanel
        message={`Вопросы этого теста на устройстве не сохранились. ${problem ?? ''}`}
        onRetry={canLoad ? retry : undefined}
      >
        <Text size="sm">{SAVED_NOTE}</Text>
      </ErrorPanel>
      <Button variant="default" onClick={onLeave}>
        К тестам
      </Button>
    </Stack>
  );
}
