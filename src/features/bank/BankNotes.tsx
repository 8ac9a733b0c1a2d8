import { Button, Group } from '@mantine/core';
import { IconCheck, IconPencil } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { saveBankEntry, type BankEntry } from '#contract/bank.ts';
import { QuestionLabel } from '#app/questions/QuestionLabel.tsx';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { themeOf, type EntryEdit } from './edited-entry.ts';
import { renewBank } from './queries.ts';

/** The last action. */
export type BankAction =
  | { kind: 'added'; entry: BankEntry; test: { id: string; title: string } }
  | { kind: 'saved'; entry: BankEntry }
  | { kind: 'removed'; entry: BankEntry };

/** Reports the last action; a removed question can be restored. */
export function DoneNote({ done, onUndone }: { done: BankAction; onUndone: () => void }) {
  const client = useQueryClient();
  const { entry } = done;
  const name = (
    <>
      «<QuestionLabel question={entry.question} />»
    </>
  );
  const undo = useMutation({
    mutationFn: () => {
      const body = { question: entry.question, theme: themeOf(entry.theme) };
      return call(saveBankEntry, { params: { entryId: entry.entryId }, body });
    },
    onSuccess: () => {
      void renewBank(client);
      onUndone();
    },
  });
  if (done.kind === 'added') {
    return (
      <InlineNote
        tone="ink"
        icon={IconCheck}
        role="status"
        action={
          <Link to="/tests/manage/$testId/edit" params={{ testId: done.test.id }}>
            Открыть тест
          </Link>
        }
      >
        Вопрос {name} добавлен в конец теста «{done.test.title}».
      </InlineNote>
    );
  }
  if (done.kind === 'saved') {
    return (
      <InlineNote tone="ink" icon={IconCheck} role="status">
        Вопрос {name} сохранён в банке.{entry.usesCount > 0 && ' В тестах он остался прежним.'}
      </InlineNote>
    );
  }
  return (
    <InlineNote
      tone="ink"
      icon={IconCheck}
      role="status"
      action={
        <>
          {undo.error && <FieldError>{describeFailure(undo.error)}</FieldError>}
          <Button
            size="sm"
            variant="default"
            loading={undo.isPending}
            onClick={() => undo.mutate()}
          >
            Вернуть
          </Button>
        </>
      }
    >
      Вопрос {name} убран из банка.
    </InlineNote>
  );
}

/** Notes that a form was closed with unsaved edits. */
export function UnsavedNote({
  edited,
  onGoOn,
  onDrop,
}: {
  edited: EntryEdit;
  onGoOn: () => void;
  onDrop: () => void;
}) {
  return (
    <InlineNote
      tone="warn"
      icon={IconPencil}
      role="status"
      action={
        <Group gap="xs" align="stretch">
          <Button size="sm" onClick={onGoOn}>
            Вернуться к правке
          </Button>
          <Button size="sm" variant="default" onClick={onDrop}>
            Не сохранять
          </Button>
        </Group>
      }
    >
      Правки вопроса «<QuestionLabel question={edited.entry.question} />» не сохранены.
    </InlineNote>
  );
}
