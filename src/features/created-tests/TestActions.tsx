import { Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { TestSettings } from '#contract/authoring.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { problemsOf, ReadyProblems, type ReadyProblem } from '#app/drafts/ReadyProblems.tsx';
import { useSetLifecycle } from './use-test-actions.ts';

/** Problems of the working copy, including unresolved conflicts. */
const waitingFor = ({ questions, conflicts }: DraftEditor): ReadyProblem[] => [
  ...conflicts.map(({ questionId }) => ({
    questionId,
    message: 'Вопрос изменён и здесь, и в другом месте: выберите версию',
  })),
  ...publishingProblems(questions),
];

/** Whether the end of a test has passed. */
const isPast = (end: string | null, now: number) => end !== null && Date.parse(end) <= now;

/**
 * State of a test with its actions: publish, archive, restore. `draft`: its open working copy, which is
 * validated and sent before publishing.
 */
export function TestActions({
  test,
  draft = null,
}: {
  test: Pick<TestSettings, 'id' | 'name' | 'lifecycle' | 'attempts' | 'endTestTime'>;
  draft?: DraftEditor | null;
}) {
  const lifecycle = useSetLifecycle();
  const { serverNow } = useDevice();
  const [isArchiving, setArchiving] = useState(false);
  const [isLate, setLate] = useState(false);
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
    <Group gap="sm">
      <TestStatusPill status={test.lifecycle} />
      {test.lifecycle === 'draft' && (
        <Button
          size="sm"
          loading={isFlushing || lifecycle.isPending}
          onClick={() => (isPast(test.endTestTime, serverNow()) ? setLate(true) : void publish())}
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
      <ConfirmModal
        opened={isArchiving}
        title="Убрать тест в архив?"
        confirm="Убрать в архив"
        cancel="Оставить"
        isBusy={lifecycle.isPending}
        problem={isArchiving && lifecycle.error ? describeFailure(lifecycle.error) : null}
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
      </ConfirmModal>
      <ConfirmModal
        opened={isLate}
        title="Опубликовать тест, который уже закрыт?"
        confirm="Опубликовать закрытым"
        cancel="Оставить черновиком"
        onConfirm={() => {
          setLate(false);
          void publish();
        }}
        onClose={() => setLate(false)}
      >
        <p>
          Окончание теста «{test.name}» уже прошло: начать его никто не сможет. Поставьте новое
          окончание в настройках и опубликуйте после этого.
        </p>
      </ConfirmModal>
      <Modal
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
            <Icon of={IconAlertTriangle} /> {describeFailure(error)}
          </p>
        )}
      </Modal>
    </Group>
  );
}
