import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as v from 'valibot';
import { NotReadyDetails } from '#contract/errors.ts';
import type { TestLifecycle, TestSettings } from '#contract/tests.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import classes from './authoring.module.css';
import { useSetLifecycle } from './use-test-actions.ts';

type Problems = v.InferOutput<typeof NotReadyDetails>['problems'];

function problemsOf(error: unknown): Problems | null {
  if (!(error instanceof ApiFailure) || error.code !== 'TEST_NOT_READY') return null;
  const parsed = v.safeParse(NotReadyDetails, error.details);
  return parsed.success ? parsed.output.problems : null;
}

/** What a publication lacks, each line leading to its question. */
function NotReady({
  testId,
  problems,
  onFollow,
}: {
  testId: string;
  problems: Problems;
  onFollow: () => void;
}) {
  return (
    <>
      <p>Тест остался как был. Чтобы опубликовать его, исправьте:</p>
      <ul className={classes.problems}>
        {problems.map(({ questionId, message }) => (
          <li key={`${questionId} ${message}`}>
            <Link
              to="/tests/manage/$testId/edit/custom"
              params={{ testId }}
              onClick={onFollow}
              {...(questionId === null ? {} : { hash: `question-${questionId}` })}
            >
              {message}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** State of a test with what may be done about it: publish, archive, bring back. */
export function TestActions({
  test,
}: {
  test: Pick<TestSettings, 'id' | 'name' | 'lifecycle' | 'attempts'>;
}) {
  const lifecycle = useSetLifecycle();
  const [isArchiving, setArchiving] = useState(false);
  const move = (to: TestLifecycle) =>
    lifecycle.mutate({ id: test.id, lifecycle: to }, { onSuccess: () => setArchiving(false) });
  const problems = problemsOf(lifecycle.error);
  const back = test.attempts > 0 ? 'active' : 'draft';
  return (
    <div className={classes.aside}>
      <TestStatusPill status={test.lifecycle} />
      {test.lifecycle === 'draft' && (
        <Button size="sm" loading={lifecycle.isPending} onClick={() => move('active')}>
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
        opened={lifecycle.error !== null && !isArchiving}
        onClose={() => lifecycle.reset()}
        title={problems ? 'Публиковать рано' : 'Не получилось'}
        footer={<Button onClick={() => lifecycle.reset()}>Понятно</Button>}
      >
        {problems ? (
          <NotReady testId={test.id} problems={problems} onFollow={() => lifecycle.reset()} />
        ) : (
          <p>
            <IconAlertTriangle size={20} stroke={1.75} aria-hidden />{' '}
            {failureWords(lifecycle.error)}
          </p>
        )}
      </Sheet>
    </div>
  );
}
