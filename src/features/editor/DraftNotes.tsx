import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPencil, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ATTEMPTS, formatCount } from '#domain/format.ts';
import { publishingProblems } from '#domain/publishing.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { problemsOf, ReadyProblems, type ReadyProblem } from '#app/drafts/ReadyProblems.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import classes from './editor.module.css';
import { NoteLine } from './NoteLink.tsx';

function PublishModal({
  draft,
  runningAttempts,
  onClose,
  onPublished,
}: {
  draft: DraftEditor;
  runningAttempts: number;
  onClose: () => void;
  onPublished: () => void;
}) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: draft.publish,
    onSuccess: () => {
      onPublished();
      onClose();
    },
  });
  const known: readonly ReadyProblem[] = publishingProblems(draft.questions);
  const problems = known.length > 0 ? known : (problemsOf(error) ?? []);
  if (problems.length > 0) {
    return (
      <Modal
        opened
        onClose={onClose}
        title="Публиковать рано"
        footer={<Button onClick={onClose}>Понятно</Button>}
      >
        <ReadyProblems
          testId={draft.testId}
          problems={problems}
          lead="Новые попытки пока получают прежние вопросы. Чтобы опубликовать правки, исправьте:"
          onFollow={onClose}
        />
      </Modal>
    );
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Опубликовать правки?"
      footer={
        <>
          <div role="alert">{error && <FieldError>{describeFailure(error)}</FieldError>}</div>
          <Button data-autofocus loading={isPending} onClick={() => mutate()}>
            Опубликовать правки
          </Button>
          <Button variant="default" onClick={onClose}>
            Не сейчас
          </Button>
        </>
      }
    >
      <p>
        Новые попытки получат вопросы в том виде, в каком они сейчас в редакторе.
        {runningAttempts > 0 &&
          ` Сейчас ${formatCount(runningAttempts, ATTEMPTS)} в работе: вопросы в них останутся прежними.`}
      </p>
    </Modal>
  );
}

function DiscardModal({ draft, onClose }: { draft: DraftEditor; onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: draft.discard,
    onSuccess: onClose,
  });
  return (
    <ConfirmModal
      opened
      title="Отменить все правки?"
      confirm="Отменить правки"
      cancel="Оставить правки"
      isBusy={isPending}
      problem={error && describeFailure(error)}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        Вопросы станут такими, какими их получают ученики сейчас. Всё, что изменено после
        публикации, пропадёт.
      </p>
    </ConfirmModal>
  );
}

/** Notes about the working copy as a whole: refused, deleted, unpublished. */
export function DraftNotes({
  draft,
  runningAttempts,
  onPublished,
}: {
  draft: DraftEditor;
  runningAttempts: number;
  onPublished: () => void;
}) {
  const [dialog, setDialog] = useState<'publish' | 'discard' | null>(null);
  const { state } = draft;
  const close = () => setDialog(null);
  const isUnpublished = draft.lifecycle === 'active' && draft.hasUnpublished;
  return (
    <>
      <Stack role="status" className={classes.notes} gap="xs">
        {state.kind === 'refused' && (
          <InlineNote tone="warn" icon={IconAlertTriangle}>
            Сервер не принял правки: {state.message} Они целы на этом устройстве: исправьте, и
            черновик отправится сам.
          </InlineNote>
        )}
        {state.kind === 'gone' && (
          <InlineNote tone="warn" icon={IconAlertTriangle}>
            Этого теста больше нет, или доступ к нему закрыт. То, что набрано, цело на этом
            устройстве: скопируйте нужное в другой тест.
          </InlineNote>
        )}
        {state.kind === 'memory' && (
          <InlineNote tone="bad" icon={IconAlertTriangle}>
            Не удалось сохранить правки: устройство не хранит данные, а сервер не отвечает. Не
            закрывайте страницу, отправим, как только он ответит.
          </InlineNote>
        )}
        {draft.notice !== null && (
          <InlineNote tone="ink">
            <NoteLine words={draft.notice}>
              <ActionIcon aria-label="Скрыть сообщение" onClick={draft.dismissNotice}>
                <Icon of={IconX} size={18} />
              </ActionIcon>
            </NoteLine>
          </InlineNote>
        )}
      </Stack>
      {isUnpublished && (
        <Paper
          component="section"
          mb="md"
          p={{ base: 'sm', sm: '0.5rem 0.5rem 0.5rem 0.875rem' }}
          aria-label="Неопубликованные правки"
        >
          <Group gap="0.5rem 0.75rem">
            <Icon of={IconPencil} />
            <Text size="sm" flex="1 1 12rem">
              <Text component="strong" inherit fw={600}>
                Есть неопубликованные правки.
              </Text>{' '}
              Новые попытки получают прежние вопросы.
            </Text>
            <Group className="wide-on-phones" flex="1 1 auto" gap="0.5rem 0.75rem">
              <Button size="sm" onClick={() => setDialog('publish')}>
                Опубликовать правки
              </Button>
              <Button size="sm" variant="default" onClick={() => setDialog('discard')}>
                Отменить правки…
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      {dialog === 'publish' && (
        <PublishModal
          draft={draft}
          runningAttempts={runningAttempts}
          onClose={close}
          onPublished={onPublished}
        />
      )}
      {dialog === 'discard' && <DiscardModal draft={draft} onClose={close} />}
    </>
  );
}
