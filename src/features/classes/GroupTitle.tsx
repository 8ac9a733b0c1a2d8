import { Flex, Text } from '@mantine/core';
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deleteGroup, updateGroup, type Group } from '#contract/groups.ts';
import { formatCount, STUDENTS, TESTS } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { SharingModal } from '#app/lib/sharing/SharingModal.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { NameModal } from './NameModal.tsx';
import { problemMessage } from './messages.ts';
import { renewGroups } from './queries.ts';

export interface GroupTitleProps {
  group: Group & { assignedTests: number };
  withOwner: boolean;
  /** Announces a change to screen readers. */
  onSpoken: (words: string) => void;
}

function lossMessage({ memberCount, assignedTests }: GroupTitleProps['group']): string {
  const stay =
    memberCount === 0
      ? 'В нём нет учеников.'
      : `${formatCount(memberCount, STUDENTS)}, их учётные записи, попытки и результаты останутся.`;
  const go =
    assignedTests === 0
      ? 'Тестов, назначенных этому классу, нет.'
      : `Назначения классу пропадут: ${formatCount(assignedTests, TESTS)}.`;
  return `${stay} ${go}`;
}

/** Title of the class with its actions. */
export function GroupTitle({ group, withOwner, onSpoken }: GroupTitleProps) {
  const { groupId, name } = group;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useDialogState<'rename' | 'delete' | 'share'>('class', [
    'rename',
    'share',
  ]);
  const close = () => setDialog(null);
  const remove = useMutation({
    mutationFn: () => call(deleteGroup, { params: { groupId } }),
    onSuccess: async () => {
      await navigate({ to: '/groups' });
      await renewGroups(client);
    },
  });
  return (
    <Flex
      justify="space-between"
      align="center"
      gap="md"
      mt={{ base: -6, md: -16 }}
      mb={{ base: -6, md: -8 }}
      c="dimmed"
    >
      <Text miw={0} className="break-anywhere">
        {formatCount(group.memberCount, STUDENTS)}
        {(withOwner || group.level !== 'owner') && ` · ${group.owner}`}
      </Text>
      <RowMenu
        label="Действия с классом"
        actions={[
          { icon: IconPencil, label: 'Переименовать…', onClick: () => setDialog('rename') },
          ...(group.level === 'owner'
            ? [
                { icon: IconUsers, label: 'Доступ коллег…', onClick: () => setDialog('share') },
                { icon: IconTrash, label: 'Удалить класс…', onClick: () => setDialog('delete') },
              ]
            : []),
        ]}
      />
      <SharingModal
        target={dialog === 'share' ? { kind: 'group', id: groupId, name } : null}
        onClose={close}
      />
      <NameModal
        opened={dialog === 'rename'}
        onClose={close}
        title="Переименовать класс"
        initial={name}
        submit="Сохранить"
        save={async (next) => {
          await call(updateGroup, { params: { groupId }, body: { name: next } });
          await renewGroups(client);
          close();
          onSpoken(`Класс переименован: ${next}`);
        }}
      />
      <ConfirmModal
        opened={dialog === 'delete'}
        title={`Удалить класс ${name}?`}
        confirm="Удалить класс"
        cancel="Оставить"
        isBusy={remove.isPending}
        problem={problemMessage(remove.error)}
        onConfirm={() => remove.mutate()}
        onClose={() => {
          remove.reset();
          close();
        }}
      >
        <p>{lossMessage(group)}</p>
      </ConfirmModal>
    </Flex>
  );
}
