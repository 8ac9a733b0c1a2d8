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

interface ConfirmProps {
  name: string;
  opened: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function ArchiveModal({
  name,
  opened,
  isBusy,
  error,
  onConfirm,
  onClose,
}: ConfirmProps & { isBusy: boolean; error: unknown }) {
  return (
    <ConfirmModal
      opened={opened}
      title="Убрать тест в архив?"
      confirm="Убрать в архив"
      cancel="Оставить"
      isBusy={isBusy}
      problem={opened && error ? describeFailure(error) : null}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Начать тест «{name}» больше будет нельзя. Идущие попытки дойдут до конца, ответы и
        результаты сохранятся, вернуть тест можно в любой момент.
      </p>
    </ConfirmModal>
  );
}

function LateModal({ name, opened, onConfirm, onClose }: ConfirmProps) {
  return (
    <ConfirmModal
      opened={opened}
      title="Опубликовать тест, который уже закрыт?"
      confirm="Опубликовать закрытым"
      cancel="Оставить черновиком"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Окончание теста «{name}» уже прошло: начать его никто не сможет. Поставьте новое окончание в
        настройках и опубликуйте после этого.
      </p>
    </ConfirmModal>
  );
}

function RefusedModal({
  testId,
  opened,
  problems,
  error,
  onClose,
}: {
  testId: string;
  opened: boolean;
  problems: readonly ReadyProblem[] | null;
  error: unknown;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={problems ? 'Публиковать рано' : 'Не получилось'}
      footer={<Button onClick={onClose}>Понятно</Button>}
    >
      {problems ? (
        <ReadyProblems
          testId={testId}
          problems={problems}
          lead="Тест остался как был. Чтобы опубликовать его, исправьте:"
          onFollow={onClose}
        />
      ) : (
        <p>
          <Icon of={IconAlertTriangle} /> {describeFailure(error)}
        </p>
      )}
    </Modal>
  );
}

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
      <ArchiveModal
        name={test.name}
        opened={isArchiving}
        isBusy={lifecycle.isPending}
        error={lifecycle.error}
        onConfirm={() => move('archived')}
        onClose={() => {
          lifecycle.reset();
          setArchiving(false);
        }}
      />
      <LateModal
        name={test.name}
        opened={isLate}
        onConfirm={() => {
          setLate(false);
          void publish();
        }}
        onClose={() => setLate(false)}
      />
      <RefusedModal
        testId={test.id}
        opened={(before !== undefined || lifecycle.error !== null) && !isArchiving}
        problems={problems}
        error={error}
        onClose={forget}
      />
    </Group>
  );
}
