import { Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconEraser, IconLock, IconShieldX } from '@tabler/icons-react';
import type { AdminUser } from '#contract/admin.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { RoleBadge } from '#app/ui/data/RoleBadge.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { userActions, type UserAction } from './user-actions.ts';

export interface UsersTableProps {
  users: readonly AdminUser[];
  ownId: string;
  onAction: (user: AdminUser, action: UserAction) => void;
}

function Person({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  return (
    <Stack gap={2} miw={0} className="break-anywhere">
      <Text span inherit fw={500}>
        {user.userName}
        {isOwn && ' (это вы)'}
      </Text>
      {user.erasedAt === undefined && (
        <Text span size="sm" c="dimmed">
          {user.email}
        </Text>
      )}
    </Stack>
  );
}

/** Table of accounts with their actions. */
export function UsersTable({ users, ownId, onAction }: UsersTableProps) {
  const { serverNow, timeZone } = useDevice();
  const columns: readonly [DataColumn<AdminUser>, ...DataColumn<AdminUser>[]] = [
    {
      key: 'name',
      head: 'Имя и почта',
      isWide: true,
      renderCell: (user) => <Person user={user} isOwn={user.userId === ownId} />,
    },
    {
      key: 'role',
      head: 'Роль',
      renderCell: ({ role, erasedAt }) => erasedAt === undefined && <RoleBadge role={role} />,
    },
    {
      key: 'state',
      head: 'Состояние',
      renderCell: ({ isBlocked, areCodesStopped, erasedAt }) =>
        erasedAt !== undefined ? (
          <StatePill icon={IconEraser} tone="quiet">
            Стёрта
          </StatePill>
        ) : isBlocked ? (
          <StatePill icon={IconLock} tone="bad">
            Заблокирована
          </StatePill>
        ) : areCodesStopped ? (
          <StatePill icon={IconShieldX} tone="warn">
            Коды остановлены
          </StatePill>
        ) : (
          <StatePill icon={IconCircleCheck} tone="quiet">
            Действует
          </StatePill>
        ),
    },
    {
      key: 'seen',
      head: 'Последний вход',
      isFigure: true,
      renderCell: ({ lastSeenAt, erasedAt }) =>
        erasedAt !== undefined
          ? `стёрта: ${formatMoment(new Date(erasedAt), serverNow(), timeZone)}`
          : lastSeenAt === null
            ? 'нет недавних входов'
            : formatMoment(new Date(lastSeenAt), serverNow(), timeZone),
    },
    {
      key: 'actions',
      head: 'Действия',
      isFigure: true,
      renderCell: (user) => (
        <RowMenu
          label={`Действия: ${user.userName}`}
          actions={userActions(user, ownId, (action) => onAction(user, action))}
        />
      ),
    },
  ];
  return (
    <DataTable
      caption="Пользователи"
      rows={users}
      rowKey={({ userId }) => userId}
      columns={columns}
    />
  );
}
