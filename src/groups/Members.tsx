import {
  IconKey,
  IconListDetails,
  IconPrinter,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type Ref } from 'react';
import { Button } from '@mantine/core';
import {
  addMembers,
  removeMember,
  type Group,
  type GroupMember,
  type PupilCard,
} from '#contract/groups.ts';
import { call } from '#app/api/call.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { PeoplePicker } from '#app/ui/PeoplePicker.tsx';
import { RowMenu } from '#app/ui/RowMenu.tsx';
import classes from './GroupPage.module.css';
import { NewPupilsSheet } from './NewPupilsSheet.tsx';
import { problemWords } from './problem-words.ts';
import { pupilsQuery, renewGroups } from './queries.ts';
import { ResetSheet } from './ResetSheet.tsx';
import type { Reset } from './use-reset-passwords.ts';

export interface MembersProps {
  group: Group & { members: readonly GroupMember[] };
  /** Takes the focus when a row goes away with the menu that a dialog was opened from. */
  heading: Ref<HTMLHeadingElement>;
  onRemoved: () => void;
  onMade: (cards: readonly PupilCard[]) => void;
  onReset: (reset: Reset) => void;
}

type Opened = 'paste' | 'pick' | 'cards' | null;

/** Picks pupils that have accounts already. */
function PickSheet({
  group,
  opened,
  onClose,
  onPick,
}: Pick<MembersProps, 'group'> & {
  opened: boolean;
  onClose: () => void;
  onPick: (userIds: string[]) => void;
}) {
  const { data, error } = useQuery({ ...pupilsQuery, enabled: opened });
  const members = new Set(group.members.map(({ userId }) => userId));
  const people = data
    ?.filter(({ userId }) => !members.has(userId))
    .map(({ userId, userName }) => ({ id: userId, name: userName }));
  return (
    <PeoplePicker
      opened={opened}
      onClose={onClose}
      title="Выбрать учеников школы"
      people={people ?? null}
      picked={[]}
      empty="Все ученики школы уже в этом классе"
      problem={problemWords(error)}
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
    <li className={classes.member}>
      <div className={classes.person}>
        <span className={classes.name}>{member.userName}</span>
        <span className={classes.email}>{member.email || 'учётная запись школы'}</span>
      </div>
      <RowMenu
        label={`Действия: ${member.userName}`}
        actions={[
          { icon: IconKey, label: 'Сбросить пароль', onClick: onReset },
          { icon: IconUserMinus, label: 'Убрать из класса', onClick: onRemove },
        ]}
      />
    </li>
  );
}

/** The members of a class by surname, and the ways to add, remove and help them in again. */
export function Members({ group, heading, onRemoved, onMade, onReset }: MembersProps) {
  const { groupId, members } = group;
  const client = useQueryClient();
  const [opened, setOpened] = useState<Opened>(null);
  const [resetting, setResetting] = useState<readonly GroupMember[]>([]);
  const [leaving, setLeaving] = useState<GroupMember | null>(null);
  const close = () => setOpened(null);
  const add = useMutation({
    mutationFn: (userIds: string[]) => call(addMembers, { params: { groupId }, body: { userIds } }),
    onSettled: () => renewGroups(client),
  });
  const remove = useMutation({
    mutationFn: (userId: string) => call(removeMember, { params: { groupId, userId } }),
    onSuccess: () => {
      setLeaving(null);
      onRemoved();
    },
    onSettled: () => renewGroups(client),
  });
  const mine = members.filter(({ mayResetPassword }) => mayResetPassword);
  const problem = problemWords(add.error);
  const isAlone = members.length === 0;
  return (
    <section aria-labelledby="members-heading">
      <div className={classes.head}>
        <h2 id="members-heading" ref={heading} tabIndex={-1}>
          Ученики
        </h2>
        <div className={classes.buttons}>
          <Button
            size="sm"
            leftSection={<IconListDetails size={20} stroke={1.75} aria-hidden />}
            onClick={() => setOpened('paste')}
          >
            Без почты, списком
          </Button>
          <Button
            size="sm"
            variant="default"
            leftSection={<IconUserPlus size={20} stroke={1.75} aria-hidden />}
            onClick={() => setOpened('pick')}
          >
            Выбрать из школы
          </Button>
          {mine.length > 0 && (
            <Button
              size="sm"
              variant="default"
              leftSection={<IconPrinter size={20} stroke={1.75} aria-hidden />}
              onClick={() => setOpened('cards')}
            >
              Новые карточки
            </Button>
          )}
        </div>
      </div>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      {isAlone ? (
        <EmptyState heading="В классе пока никого">
          Покажите ученикам код, добавьте их списком или выберите тех, кто уже есть на сайте
        </EmptyState>
      ) : (
        <ul className={classes.list}>
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
      <NewPupilsSheet
        opened={opened === 'paste'}
        onClose={close}
        groupId={groupId}
        members={members.map(({ userName }) => userName)}
        onMade={onMade}
      />
      <PickSheet
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
      <ResetSheet
        groupId={groupId}
        members={resetting}
        onClose={() => setResetting([])}
        onReset={onReset}
      />
      <ConfirmSheet
        opened={leaving !== null}
        title={`Убрать из класса: ${leaving?.userName ?? ''}?`}
        confirm="Убрать"
        cancel="Оставить"
        isBusy={remove.isPending}
        problem={problemWords(remove.error)}
        onConfirm={() => leaving && remove.mutate(leaving.userId)}
        onClose={() => {
          remove.reset();
          setLeaving(null);
        }}
      >
        <p>
          Тесты, назначенные классу, у ученика больше не появятся. Учётная запись, начатые попытки и
          результаты останутся.
        </p>
      </ConfirmSheet>
    </section>
  );
}
