import { Flex } from '@mantine/core';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useEffect } from 'react';
import { rememberEditMode, type EditMode } from './edit-mode.ts';

const MODES: readonly { mode: EditMode; label: string }[] = [
  { mode: 'custom', label: 'Вручную' },
  { mode: 'generate', label: 'Подбор' },
  { mode: 'ai', label: 'С ИИ' },
];

/** Tabs of the three edit modes; the last one is remembered per test. */
export function EditModes({ testId, mode }: { testId: string; mode: EditMode }) {
  const { app } = useRouteContext({ from: '__root__' });
  useEffect(() => rememberEditMode(app.local, testId, mode), [app.local, testId, mode]);
  return (
    <Flex
      component="nav"
      gap={3}
      wrap="wrap"
      p={3}
      bd="1px solid var(--app-line)"
      bdrs="lg"
      className="self-start"
      aria-label="Способ правки"
    >
      {MODES.map((one) => (
        <Link
          key={one.mode}
          to={`/tests/manage/$testId/edit/${one.mode}`}
          params={{ testId }}
          className="tap segment"
          aria-current={one.mode === mode ? 'page' : undefined}
        >
          {one.label}
        </Link>
      ))}
    </Flex>
  );
}
