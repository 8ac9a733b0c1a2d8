import {
  IconKey,
  IconListDetails,
  IconPrinter,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type Ref } from 'react';
import { Button, Flex, Text } from '@mantine/core';
import {
  addMembers,
  removeMember,
  type Group,
  type GroupMember,
  type StudentCard,
} from '#contract/groups.ts';
import { formatCount, STUDENTS } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { namesakeDetail } from '#app/lib/school-queries.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { PeoplePicker } from '#app/ui/forms/PeoplePicker.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { cx } from '#app/ui/cx.ts';
import list from '#app/ui/data/list.module.css';
import { NewStudentsModal } from './NewStudentsModal.tsx';
import { problemMessage } from './messages.ts';
import { studentsQuery, renewGroups } from './queries.ts';
import { ResetPasswordModal } from './ResetPasswordModal.tsx';
import type { Reset } from './use-reset-passwords.ts';

export interface MembersProps {
  group: Group & { members: readonly GroupMember[] };
  /** Gets the focus when a modal was opened from the menu of a row that is now unmounted. */
  heading: Ref<HTMLHeadingElement>;
  onRemoved: () => void;
  /** Announces a change to screen readers. */
  onSpoken: (words: string) => void;
  onMade: (cards: readonly StudentCard[]) => void;
  onReset: (reset: Reset) => void;
}

type Opened = 'paste' | 'pick' | 'cards';

/** Picks students with existing accounts. */
function PickModal({
  group,
  opened,
  onClose,
  onPick,
}: Pick<MembersProps, 'group'> & {
  opened: boolean;
  onClose: () => void;
  onPick: (userIds: string[]) => void;
}) {
  const { data, error } = useQuery({ ...studentsQuery, enabled: opened });
  const members = new Set(group.members.map(({ userId }) => userId));
  const people = data
    ?.filter(({ userId }) => !members.has(userId))
    .map((person) => ({
      id: person.userId,
      name: person.userName,
      detail: namesakeDetail(person),
    }));
  return (
    <PeoplePicker
      opened={opened}
      onClose={onClose}
      title="Выбрать учеников школы"
      people={people ?? null}
      picked={[]}
      empty="Все ученики школы уже в этом классе"
      problem={problemMessage(error)}
      onPick={onPick}
    />
  );
}

function MemberRow({
  member,
  onReset,
  onRemove,
}: {
  member: GroupMember;
  onReset: () => void;
  onRemove: () => void;
}) {
  return (
    <Flex
      component="li"
      className={list.row}
      align="center"
      gap="sm"
      mih={{ base: '3.5rem', md: '3rem' }}
      py={{ base: 6, md: 4 }}
      ps={{ md: 'md' }}
      pe={{ md: 'xs' }}
    >
      <Flex
        flex={1}
        direction={{ base: 'column', md: 'row' }}
        align={{ md: 'center' }}
        gap={{ md: 'md' }}
        miw={0}
        className="break-anywhere"
      >
        <Text span fz={{ base: 16, md: 15 }} flex={{ md: 1 }} miw={0}>
          {member.userName}
        </Text>
        <Text span size="sm" c="dimmed" flex={{ md: 1.2 }} miw={0}>
          {member.email || 'учётная запись школы'}
        </Text>
      </Flex>
      <RowMenu
        label={`Действия: ${member.userName}`}
        actions={[
          { icon: IconKey, label: 'Сбросить пароль…', onClick: onReset },
          { icon: IconUserMinus, label: 'Убрать из класса…', onClick: onRemove },
        ]}
      />
    </Flex>
  );
}

function AddButtons({ hasCards, onOpen }: { hasCards: boolean; onOpen: (opened: Opened) => void }) {
  return (
    <Flex className="wide-on-phones" w={{ base: '100%', xs: 'auto' }} wrap="wrap" gap="xs">
      <Button size="sm" leftSection={<Icon of={IconListDetails} />} onClick={() => onOpen('paste')}>
        Без почты, списком
      </Button>
      <Button
        size="sm"
        variant="default"
        leftSection={<Icon of={IconUserPlus} />}
        onClick={() => onOpen('pick')}
      >
        Выбрать из школы
      </Button>
      {hasCards && (
        <Button
          size="sm"
          variant="default"
          leftSection={<Icon of={IconPrinter} />}
          onClick={() => onOpen('cards')}
        >
          Новые карточки
        </Button>
      )}
    </Flex>
  );
}

function RemoveModal({
  member,
  isBusy,
  problem,
  onConfirm,
  onClose,
}: {
  member: GroupMember | null;
  isBusy: boolean;
  problem: string | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmModal
      opened={member !== null}
      title={`Убрать из класса: ${member?.userName ?? ''}?`}
      confirm="Убрать"
      cancel="Оставить"
      isBusy={isBusy}
      problem={problem}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Тесты, назначенные классу, у ученика больше не появятся. Учётная запись, начатые попытки и
        результаты останутся.
      </p>
    </ConfirmModal>
  );
}

/** The members of a class by surname, with adding, removing and password reset. */
export function Members({ group, heading, onRemoved, onSpoken, onMade, onReset }: MembersProps) {
  const { groupId, members } = group;
  const client = useQueryClient();
  const [opened, setOpened] = useDialogState<Opened>('members', ['paste', 'pick']);
  const [resetting, setResetting] = useState<readonly GroupMember[]>([]);
  const [leaving, setLeaving] = useState<GroupMember | null>(null);
  const close = () => setOpened(null);
  const add = useMutation({
    mutationFn: (userIds: string[]) => call(addMembers, { params: { groupId }, body: { userIds } }),
    onSuccess: ({ added }) => onSpoken(`В класс добавлено: ${formatCount(added, STUDENTS)}`),
    onSettled: () => renewGroups(client),
  });
  const remove = useMutation({
    mutationFn: ({ userId }: GroupMember) => call(removeMember, { params: { groupId, userId } }),
    onSuccess: (_, { userName }) => {
      setLeaving(null);
      onSpoken(`Больше не в классе: ${userName}`);
      onRemoved();
    },
    onSettled: () => renewGroups(client),
  });
  const mine = members.filter(({ mayResetPassword }) => mayResetPassword);
  const problem = problemMessage(add.error);
  const isAlone = members.length === 0;
  return (
    <section aria-labelledby="members-heading">
      <Flex align="center" wrap="wrap" gap="0.5rem 1rem" justify="space-between" mb="sm">
        <h2 id="members-heading" ref={heading} tabIndex={-1}>
          Ученики
        </h2>
        <AddButtons hasCards={mine.length > 0} onOpen={setOpened} />
      </Flex>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      {isAlone ? (
        <EmptyState heading="В классе пока никого">
          Покажите ученикам код, добавьте их списком или выберите тех, кто уже есть на сайте
        </EmptyState>
      ) : (
        <ul className={cx(list.list, 'line-above card-from-desktop')}>
          {members.map((member) => (
            <MemberRow
              key={member.userId}
              member={member}
              onReset={() => setResetting([member])}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </ul>
      )}
      <NewStudentsModal
        opened={opened === 'paste'}
        onClose={close}
        groupId={groupId}
        members={members.map(({ userName }) => userName)}
        onMade={onMade}
      />
      <PickModal
        group={group}
        opened={opened === 'pick'}
        onClose={close}
        onPick={(userIds) => {
          if (userIds.length > 0) add.mutate(userIds);
        }}
      />
      <PeoplePicker
        opened={opened === 'cards'}
        onClose={close}
        title="Кому сбросить пароль и выдать карточку"
        people={mine.map(({ userId, userName, email }) => ({
          id: userId,
          name: userName,
          detail: email,
        }))}
        picked={[]}
        empty=""
        onPick={(ids) => setResetting(mine.filter(({ userId }) => ids.includes(userId)))}
      />
      <ResetPasswordModal
        groupId={groupId}
        members={resetting}
        onClose={() => setResetting([])}
        onReset={onReset}
      />
      <RemoveModal
        member={leaving}
        isBusy={remove.isPending}
        problem={problemMessage(remove.error)}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onClose={() => {
          remove.reset();
          setLeaving(null);
        }}
      />
    </section>
  );
}
