import { useState } from 'react';
import type { TestSettings } from '#contract/authoring.ts';
import { useFormDraft } from '#app/lib/form-draft.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { AboutSection } from './AboutSection.tsx';
import { AssignmentSection } from './AssignmentSection.tsx';
import { ConflictPanel } from './ConflictPanel.tsx';
import { StoredSettings } from './settings-draft.ts';
import { LeaveGuard } from '#app/ui/overlays/LeaveGuard.tsx';
import { OfflineSection } from './OfflineSection.tsx';
import { PersonalSection } from './PersonalSection.tsx';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { ResultsSection } from './ResultsSection.tsx';
import { SaveBar } from './SaveBar.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './settings.module.css';
import { TimeSection } from './TimeSection.tsx';
import { useSettingsForm } from './use-settings-form.ts';

function Settings({ settings, viewerId }: { settings: TestSettings; viewerId: string }) {
  const formDraft = useFormDraft(
    { kind: 'settings', owner: viewerId, testId: settings.id },
    StoredSettings,
  );
  const form = useSettingsForm(settings, formDraft);
  return (
    <AppForm
      of={form.form}
      className={cx('card-from-desktop', classes.form)}
      aria-label="Настройки теста"
    >
      {form.conflict && <ConflictPanel key={form.conflict.theirs.version} settings={form} />}
      <AboutSection settings={form} />
      <TimeSection settings={form} />
      <ResultsSection settings={form} />
      <OfflineSection settings={form} />
      <AssignmentSection settings={form} />
      <PersonalSection settings={form} />
      <SaveBar settings={form} />
      <LeaveGuard
        isDirty={form.touched.length > 0}
        message="Правки на этой странице ещё не сохранены на сервере. Если уйти, они пропадут."
        onSignedOut={form.saveDraft}
      />
    </AppForm>
  );
}

/** The settings of a test. */
export function SettingsPage({ testId, viewerId }: { testId: string; viewerId: string }) {
  const { data, problem, retry } = usePageQuery(settingsQuery(testId));
  // The form survives the cache being cleared at the end of a session.
  const [known, setKnown] = useState(data);
  if (data && data !== known) setKnown(data);
  const settings = data ?? known;
  if (settings) return <Settings settings={settings} viewerId={viewerId} />;
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton rows={8} />;
}
