import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { TestSettings } from '#contract/authoring.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import classes from './authoring.module.css';
import type { Draft } from './draft/draft.ts';
import { problemsOf, ReadyProblems, type ReadyProblem } from './ReadyProblems.tsx';
import { useSetLifecycle } from './use-test-actions.ts';

/** What the working copy lacks, decisions between two versions included. */
const waitingFor = ({ questions, conflicts }: Draft): ReadyProblem[] => [
  ...conflicts.map(({ questionId }) => ({
    questionId,
    message: 'Вопрос изменён и здесь, и в другом месте: выберите версию',
  })),
  ...publishingProblems(questions),
];

/**
 * State of a test with what may be done about it: publish, archive, bring back.
 * `draft`: its open working copy, which is looked through and sent before it is published.
 */
export function TestActions({
  test,
  draft = null,
}: {
  test: Pick<TestSettings, 'id' | 'name' | 'lifecycle' | 'attempts'>;
  draft?: Draft | null;
}) {
  const lifecycle = useSetLifecycle();
  const [isArchiving, setArchiving] = useState(false);
  const [isFlushing, setFlushing] = useState(false);
  const [before, setBefore] = useState<{
    problems: readonly ReadyProblem[] | null;
    error: unknown;
  }>();
  const move = (to: TestLifecycle) =>
    lifecycle.mutate({ id: test.id, lifecycle: to }, { onSuccess: () => setArchiving(false) });
  const publish = async () => {
    const found: ReadyProblem[] = draft ? waitingFor(draft) : [];
    if (found.length > 0) {
      setBefore({ problems: found, error: null });
      return;
    }
    setFlushing(true);
    try {
      await draft?.flush();
      move('active');
    } catch (error) {
      setBefore({ problems: null, error });
    } finally {
      setFlushing(false);
    }
  };
  const error = before?.error ?? lifecycle.error;
  const problems = before?.problems ?? problemsOf(lifecycle.error);
  const forget = () => {
    setBefore(undefined);
    lifecycle.reset();
  };
  const back = test.attempts > 0 ? 'active' : 'draft';
  return (
    <div className={classes.aside}>
      <TestStatusPill status={test.lifecycle} />
      {test.lifecycle === 'draft' && (
        <Button
          size="sm"
          loading={isFlushing || lifecycle.isPending}
          onClick={() => void publish()}
        >
          Опубликовать
        </Button>
      )}
      {test.lifecycle === 'active' && (
        <Button size="sm" variant="default" onClick={() => setArchiving(true)}>
          В архив
        </Button>
      )}
      {test.lifecycle === 'archived' && (
        <Button
          size="sm"
          variant="default"
          loading={lifecycle.isPending}
          onClick={() => move(back)}
        >
          Вернуть из архива
        </Button>
      )}
      <ConfirmSheet
        opened={isArchiving}
        title="Убрать тест в архив?"
        confirm="Убрать в архив"
        cancel="Оставить"
        isBusy={lifecycle.isPending}
        problem={isArchiving && lifecycle.error ? failureWords(lifecycle.error) : null}
        onConfirm={() => move('archived')}
        onClose={() => {
          lifecycle.reset();
          setArchiving(false);
        }}
      >
        <p>
          Начать тест «{test.name}» больше будет нельзя. Идущие попытки дойдут до конца, ответы и
          результаты сохранятся, вернуть тест можно в любой момент.
        </p>
      </ConfirmSheet>
      <Sheet
        opened={(before !== undefined || lifecycle.error !== null) && !isArchiving}
        onClose={forget}
        title={problems ? 'Публиковать рано' : 'Не получилось'}
        footer={<Button onClick={forget}>Понятно</Button>}
      >
        {problems ? (
          <ReadyProblems
            testId={test.id}
            problems={problems}
            lead="Тест остался как был. Чтобы опубликовать его, исправьте:"
            onFollow={forget}
          />
        ) : (
          <p>
            <IconAlertTriangle size={20} stroke={1.75} aria-hidden /> {failureWords(error)}
          </p>
        )}
      </Sheet>
    </div>
  );
}
