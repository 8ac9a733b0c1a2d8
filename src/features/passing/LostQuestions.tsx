import { Button, Stack, Text, Title } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import type { AttemptView, StartOutcome } from '#app/outbox/types.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';

/** A start that arrives after the deadline would begin the next attempt. */
const MARGIN_MS = 15_000;

const SAVED_NOTE = 'Ответы, которые ждут на этом устройстве, сохранены и уйдут сами.';

const problemOf = (outcome: StartOutcome): string | null => {
  if (outcome.kind === 'started') return null;
  if (outcome.kind === 'refused') return outcome.message;
  if (outcome.kind === 'runningElsewhere') return 'Тест продолжается на другом устройстве.';
  return 'Сервер сейчас не отвечает. Вопросы загрузятся, когда появится связь.';
};

/**
 * An attempt whose questions are no longer readable on this device, as after damage of the browser's storage. Its own
 * stream gets them again by a repeated start, which is no further attempt.
 */
export function LostQuestions({ view, onLeave }: { view: AttemptView; onLeave: () => void }) {
  const { outbox } = useDevice();
  const { testId, title } = view;
  const [canLoad] = useState(view.readOnly === null && view.remainingMs > MARGIN_MS);
  const [problem, setProblem] = useState<string | null>(null);
  usePageTitle(title);
  const load = useCallback(() => {
    outbox.startAttempt(testId).then(
      (outcome) => setProblem(problemOf(outcome)),
      (cause: unknown) => {
        logProblem('Вопросы не загрузить', { cause });
        setProblem('Вопросы не загрузились.');
      },
    );
  }, [outbox, testId]);
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
