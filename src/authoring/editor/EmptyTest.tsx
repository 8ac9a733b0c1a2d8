import { Button } from '@mantine/core';
import { IconBooks, IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import classes from './editor.module.css';
import { AddButton } from './ListFoot.tsx';
import type { Editing } from './use-editing.ts';

/** A test without questions: every way to get the first ones. */
export function EmptyTest({ testId, editing }: { testId: string; editing: Editing }) {
  return (
    <EmptyState
      heading="В тесте пока нет вопросов"
      action={
        <div className={classes.ways}>
          <div className={classes.wayButtons}>
            <AddButton editing={editing} filled />
            <Button
              variant="default"
              leftSection={<IconBooks size={20} stroke={1.75} aria-hidden />}
              onClick={() => editing.show({ kind: 'bank' })}
            >
              Взять из банка
            </Button>
            <Button
              variant="default"
              leftSection={<IconFileImport size={20} stroke={1.75} aria-hidden />}
              onClick={() => editing.show({ kind: 'import' })}
            >
              Импорт из файла
            </Button>
          </div>
          <p>
            <Link to="/tests/manage/$testId/edit/generate" params={{ testId }}>
              Подобрать по темам и шаблонам
            </Link>{' '}
            или{' '}
            <Link to="/tests/manage/$testId/edit/ai" params={{ testId }}>
              составить с ИИ
            </Link>
          </p>
        </div>
      }
    >
      Составьте вопросы вручную или возьмите готовые: из банка, из файла другой системы, по теме.
    </EmptyState>
  );
}
