import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import {
  getTestSettings,
  updateTest,
  type TestSettings,
  type UpdateTestBody,
} from '#contract/authoring.ts';
import { call } from '#app/api/call.ts';
import { refreshTests, settingsQuery } from '#app/lib/teacher-queries.ts';
import { showReply } from '#app/lib/show-reply.ts';
import { readStaleVersion } from '#app/lib/stale-version.ts';
import { useDevice } from '#app/lib/device-services.ts';
import type { FormDraft } from '#app/lib/form-draft.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { useLatest } from '#app/lib/use-latest.ts';
import { writeForm } from '#app/lib/write-form.ts';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';
import { settingsSchema, type SettingsBase } from './settings-change.ts';
import {
  changedFields,
  draftOf,
  SettingsDraft,
  withFields,
  type SettingsField,
  type StoredSettings,
} from './settings-draft.ts';

/** A version conflict: the server's version and the base of this form. */
export interface Conflict {
  theirs: TestSettings;
  updatedBy: string | null;
  /** Fields changed elsewhere. */
  theirFields: readonly SettingsField[];
}

/** Null: it could not be read. */
const readStored = async (id: string): Promise<TestSettings | null> => {
  try {
    return await call(getTestSettings, { params: { id } });
  } catch {
    return null;
  }
};

/** Sends touched fields. Throws if neither they nor a newer version could be read back. */
async function sendSettings(
  body: UpdateTestBody,
  base: SettingsBase,
  sent: SettingsDraft,
  timeZone: string,
): Promise<
  | { readonly kind: 'stored'; readonly stored: SettingsBase }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }
> {
  const { id } = base.settings;
  try {
    const written = await call(updateTest, { body });
    // The save succeeded even if the refetch fails.
    const fresh = await readStored(id);
    const stored = fresh
      ? { settings: fresh, draft: draftOf(fresh, timeZone) }
      : { settings: { ...base.settings, ...written }, draft: sent };
    return { kind: 'stored', stored };
  } catch (error) {
    const stale = readStaleVersion(error);
    const theirs = stale && (await readStored(id));
    // Without it the server's message is shown, and the next save retries.
    if (!stale || !theirs) throw error;
    const theirDraft = draftOf(theirs, timeZone);
    const differing = changedFields(theirDraft, sent);
    // An own earlier save with a lost reply.
    if (changedFields(base.draft, sent).every((field) => !differing.includes(field)))
      return { kind: 'stored', stored: { settings: theirs, draft: theirDraft } };
    const theirFields = changedFields(base.draft, theirDraft);
    return { kind: 'conflict', conflict: { theirs, updatedBy: stale.updatedBy, theirFields } };
  }
}

/** The form on its base version, and saving, which sends only touched fields and overwrites nobody's work. */
function useVersionedForm(settings: TestSettings, restored: FormDraft<StoredSettings>['restored']) {
  const { timeZone, serverNow } = useDevice();
  const client = useQueryClient();
  // Edits interrupted by an expired session continue on their base version.
  const [base, setBase] = useState<SettingsBase>(() =>
    restored
      ? { settings: { ...settings, version: restored.version }, draft: restored.base }
      : { settings, draft: draftOf(settings, timeZone) },
  );
  const [draft, setDraft] = useState(restored?.draft ?? base.draft);
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const latest = useLatest(base);
  const [schema] = useState(() => settingsSchema(() => latest.current, timeZone));
  const { id } = settings;

  const read = (): SettingsDraft => v.parse(SettingsDraft, form.read());
  /** Shows a version of the server with some fields as typed here. */
  const adopt = (next: SettingsBase, shown: SettingsDraft) => {
    const differing = changedFields(shown, read());
    writeForm(form.store, Object.fromEntries(differing.map((field) => [field, shown[field]])));
    setDraft(shown);
    setBase(next);
    setConflict(null);
  };
  /** After a save: input typed meanwhile stays. */
  const settle = (next: SettingsBase, sent: SettingsDraft) => {
    const now = read();
    adopt(next, withFields(next.draft, now, changedFields(sent, now)));
    setSavedAt(serverNow());
    client.setQueryData(settingsQuery(id).queryKey, next.settings);
    refreshTests(client);
  };

  const form: ReturnType<typeof useAppForm<SettingsDraft, UpdateTestBody>> = useAppForm({
    schema,
    initialValues: draft,
    onValues: (values) => {
      const typed = v.parse(SettingsDraft, values);
      if (changedFields(typed, draft).length === 0) return;
      setDraft(typed);
      setSavedAt(null);
    },
    send: async (body) => {
      const sent = read();
      if (changedFields(base.draft, sent).length === 0) return;
      const outcome = await sendSettings(body, base, sent, timeZone);
      if (outcome.kind === 'conflict') setConflict(outcome.conflict);
      else settle(outcome.stored, sent);
    },
  });
  return { form, base, draft, savedAt, conflict, adopt };
}

/** Form of a test's settings: the difference from the base version, which follows the server's. */
export function useSettingsForm(
  settings: TestSettings,
  { restored, save: saveDraft }: FormDraft<StoredSettings>,
) {
  const { timeZone } = useDevice();
  const client = useQueryClient();
  const { form, base, draft, savedAt, conflict, adopt } = useVersionedForm(settings, restored);
  const touched = changedFields(base.draft, draft);
  const isSaving = useSignalValue(form.store.submitting);

  // Without local edits a newer version is simply shown.
  const isNewer =
    settings.version > base.settings.version && touched.length === 0 && !isSaving && !conflict;
  const adoptLatest = useLatest(adopt);
  useEffect(() => {
    if (!isNewer) return;
    const newer = draftOf(settings, timeZone);
    adoptLatest.current({ settings, draft: newer }, newer);
  }, [isNewer, settings, timeZone, adoptLatest]);

  return {
    form,
    /** Latest known settings, independent of the form's base version. */
    facts: settings,
    draft,
    touched,
    isInvalid: useSignalValue(form.store.invalid),
    savedAt,
    conflict,
    isSaving,
    /** Why the last save failed; undefined: it did not, or it is shown at a field or in the conflict. */
    problem: useSignalValue(form.store.response).message,
    /** Stores the edits until their author has signed in again in this tab. */
    saveDraft: () => saveDraft({ version: base.settings.version, base: base.draft, draft }),
    reset: () => adopt(base, base.draft),
    /** Rebases the edits on the new version; without fields, adopts it unchanged. */
    takeTheirs: (ownFields: readonly SettingsField[]) => {
      if (!conflict) return;
      const { theirs } = conflict;
      const theirDraft = draftOf(theirs, timeZone);
      void showReply(client, settingsQuery(settings.id).queryKey, theirs);
      adopt({ settings: theirs, draft: theirDraft }, withFields(theirDraft, draft, ownFields));
    },
  };
}
export type SettingsForm = ReturnType<typeof useSettingsForm>;
