import { Link, useRouteContext } from '@tanstack/react-router';
import { useEffect } from 'react';
import classes from './authoring.module.css';
import { rememberEditMode, type EditMode } from './edit-mode.ts';

const MODES: readonly { mode: EditMode; label: string }[] = [
  { mode: 'custom', label: 'Вручную' },
  { mode: 'generate', label: 'Подбор' },
  { mode: 'ai', label: 'С ИИ' },
];

/** The three ways to edit a test's questions; the one on screen is remembered for the test. */
export function EditModes({ testId, mode }: { testId: string; mode: EditMode }) {
  const { app } = useRouteContext({ from: '__root__' });
  useEffect(() => rememberEditMode(app.local, testId, mode), [app.local, testId, mode]);
  return (
    <nav className={classes.modes} aria-label="Способ правки">
      {MODES.map((one) => (
        <Link
          key={one.mode}
          to={`/tests/manage/$testId/edit/${one.mode}`}
          params={{ testId }}
          className={classes.mode}
          aria-current={one.mode === mode ? 'page' : undefined}
        >
          {one.label}
        </Link>
      ))}
    </nav>
  );
}
