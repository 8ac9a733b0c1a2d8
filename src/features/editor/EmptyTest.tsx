import { Button, Group, Stack } from '@mantine/core';
import { IconBooks, IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { AddButton } from './ListFoot.tsx';
import type { EditingState } from './use-editing.ts';

/** A test without questions: offers every method to add the first ones. */
export function EmptyTest({ testId, editing }: { testId: string; editing: EditingState }) {
  return (
    <EmptyState
      heading="В тесте пока нет вопросов"
      action={
        <Stack>
          <Group className="wide-on-phones" gap="xs">
            <AddButton editing={editing} filled />
            <Button
              variant="default"
              leftSection={<Icon of={IconBooks} />}
              onClick={() => editing.show({ kind: 'bank' })}
            >
              Взять из банка
            </Button>
            <Button
              variant="default"
              leftSection={<Icon of={IconFileImport} />}
              onClick={() => editing.show({ kind: 'import' })}
            >
              Импорт из файла
            </Button>
          </Group>
          <p>
            <Link to="/tests/manage/$testId/edit/generate" params={{ testId }}>
              Подобрать по темам и шаблонам
            </Link>{' '}
            или{' '}
            <Link to="/tests/manage/$testId/edit/ai" params={{ testId }}>
              составить с ИИ
            </Link>
          </p>
        </Stack>
      }
    >
      Составьте вопросы вручную или возьмите готовые: из банка, из файла другой системы, по теме.
    </EmptyState>
  );
}
