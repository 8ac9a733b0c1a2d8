import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { TestSettings } from '#contract/tests.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { GuardDialog } from '#app/ui/GuardDialog.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { AboutSection } from './AboutSection.tsx';
import { AssignmentSection } from './AssignmentSection.tsx';
import { ConflictPanel } from './ConflictPanel.tsx';
import { settingsKeeper } from './kept-settings.ts';
import { PersonalSection } from './PersonalSection.tsx';
import { settingsQuery } from './queries.ts';
import { ResultsSection } from './ResultsSection.tsx';
import { SaveBar } from './SaveBar.tsx';
import classes from './settings.module.css';
import { TimeSection } from './TimeSection.tsx';
import { useSettingsForm } from './use-settings-form.ts';

/** Asks before unsaved changes are left; a tab that is closed asks in the browser's words. */
function LeaveGuard({ isDirty, onSignedOut }: { isDirty: boolean; onSignedOut: () => void }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      // A dialog of this page has a history entry too, and is no way out.
      if (!isDirty || next.pathname === current.pathname) return false;
      // A sign-in that ended is not held up: its pages may not stay on the screen.
      if (next.pathname === '/login') onSignedOut();
      return next.pathname !== '/login';
    },
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <GuardDialog
      title="Уйти без сохранения?"
      words="Правки на этой странице ещё не сохранены на сервере. Если уйти, они пропадут."
      stay="Остаться"
      leave="Уйти без сохранения"
      onStay={blocker.reset}
      onLeave={blocker.proceed}
    />
  );
}

function Settings({ settings, viewerId }: { settings: TestSettings; viewerId: string }) {
  const [keeper] = useState(() =>
    settingsKeeper(viewerId, settings.id, () => window.sessionStorage),
  );
  const form = useSettingsForm(settings, keeper);
  return (
    <form
      className={classes.form}
      noValidate
      aria-label="Настройки теста"
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
    >
      {form.conflict && <ConflictPanel key={form.conflict.theirs.version} form={form} />}
      <AboutSection form={form} />
      <TimeSection form={form} />
      <ResultsSection form={form} />
      <AssignmentSection form={form} />
      <PersonalSection form={form} />
      <SaveBar form={form} />
      <LeaveGuard isDirty={form.touched.length > 0} onSignedOut={form.keep} />
    </form>
  );
}

/** Everything of a test but its questions. */
export function SettingsPage({ testId, viewerId }: { testId: string; viewerId: string }) {
  const { data, problem, retry } = usePageQuery(settingsQuery(testId));
  if (data) return <Settings settings={data} viewerId={viewerId} />;
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton rows={8} />;
}
