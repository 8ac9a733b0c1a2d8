import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as v from 'valibot';
import { getTestSettings, updateTest, type TestSettings } from '#contract/authoring.ts';
import { StaleVersionDetails } from '#contract/errors.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { refreshTests, settingsQuery } from '#app/authoring/queries.ts';
import { firstWrong, serverErrors, settingsChange, type FieldErrors } from './settings-change.ts';
import {
  changedFields,
  draftOf,
  withFields,
  type SettingsDraft,
  type SettingsField,
  type StoredSettings,
} from './settings-draft.ts';
import type { FormDraft } from '#app/lib/form-draft.ts';

/** A version conflict: the server's version and the base of this form. */
export interface Conflict {
  theirs: TestSettings;
  updatedBy: string | null;
  /** Fields changed elsewhere. */
  theirFields: readonly SettingsField[];
}

const NO_ERRORS: FieldErrors = new Map();

function staleBy(error: unknown): string | null {
  if (!(error instanceof ApiFailure)) return null;
  const parsed = v.safeParse(StaleVersionDetails, error.details);
  return parsed.success ? parsed.output.updatedBy : null;
}

const isStale = (error: unknown) =>
  error instanceof ApiFailure && error.kind === 'refused' && error.code === 'STALE_VERSION';

const sameBut = (errors: FieldErrors, field: SettingsField): FieldErrors =>
  new Map([...errors].filter(([key]) => key.split('.')[0] !== field));

/** Focuses the first invalid field, once its error is rendered. */
function focusField(field: SettingsField | null): void {
  if (field === null) return;
  requestAnimationFrame(() => {
    const group = document.querySelector(`[data-field="${field}"]`);
    const wrong = group?.querySelector<HTMLElement>('[aria-invalid]');
    (wrong ?? group?.querySelector<HTMLElement>('input, textarea, select, button'))?.focus();
  });
}

/**
 * Form of a test's settings: input, difference from the base version, and saving, which sends only touched
 * fields and overwrites nobody's work.
 */
export function useSettingsForm(
  settings: TestSettings,
  { restored, save: saveDraft }: FormDraft<StoredSettings>,
) {
  const { timeZone, serverNow } = useDevice();
  const client = useQueryClient();
  // Edits interrupted by an expired session continue on their base version.
  const [base, setBase] = useState(() =>
    restored ? { ...settings, version: restored.version } : settings,
  );
  const [draft, setDraft] = useState(() => restored?.draft ?? draftOf(settings, timeZone));
  const [errors, setErrors] = useState<FieldErrors>(NO_ERRORS);
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [baseDraft, setBaseDraft] = useState(() => restored?.base ?? draft);
  const touched = changedFields(baseDraft, draft);

  /** Applies a successful save; input typed meanwhile stays. */
  const settle = (fresh: TestSettings, freshDraft: SettingsDraft, sent: SettingsDraft) => {
    setDraft((now) => withFields(freshDraft, now, changedFields(sent, now)));
    setBase(fresh);
    setBaseDraft(freshDraft);
    setErrors(NO_ERRORS);
    setConflict(null);
    setSavedAt(serverNow());
    client.setQueryData(settingsQuery(base.id).queryKey, fresh);
    refreshTests(client);
  };
  /** Null: the refetch failed. */
  const read = async () => {
    try {
      return await call(getTestSettings, { params: { id: base.id } });
    } catch {
      return null;
    }
  };

  const save = useMutation({
    mutationFn: async (sent: { draft: SettingsDraft; fields: SettingsField[] }) => {
      const { body } = settingsChange(base, sent.draft, sent.fields, timeZone);
      const written = await call(updateTest, { body });
      // The save succeeded even if the refetch fails.
      const fresh = await read();
      return { fresh, written };
    },
    onSuccess: ({ fresh, written }, sent) =>
      fresh
        ? settle(fresh, draftOf(fresh, timeZone), sent.draft)
        : settle({ ...base, ...written }, sent.draft, sent.draft),
    onError: async (error, sent) => {
      const wrong = serverErrors(error);
      setErrors(wrong);
      focusField(firstWrong(wrong));
      if (!isStale(error)) return;
      const theirs = await read();
      // Without it the server's message is shown, and the next save retries.
      if (theirs === null) return;
      const theirDraft = draftOf(theirs, timeZone);
      const differing = changedFields(theirDraft, sent.draft);
      if (sent.fields.every((field) => !differing.includes(field))) {
        // An own earlier save whose reply was lost.
        settle(theirs, theirDraft, sent.draft);
        return;
      }
      setConflict({
        theirs,
        updatedBy: staleBy(error),
        theirFields: changedFields(baseDraft, theirDraft),
      });
    },
  });

  const set = <F extends SettingsField>(field: F, value: SettingsDraft[F]) => {
    setDraft((now) => ({ ...now, [field]: value }));
    setErrors((now) => sameBut(now, field));
    setSavedAt(null);
  };

  // Without local edits a newer version is simply shown.
  if (settings.version > base.version && touched.length === 0 && !save.isPending && !conflict) {
    const newer = draftOf(settings, timeZone);
    setBase(settings);
    setBaseDraft(newer);
    setDraft(newer);
  }

  return {
    /** Latest known settings, independent of the form's base version. */
    facts: settings,
    draft,
    touched,
    errors,
    savedAt,
    conflict,
    isSaving: save.isPending,
    /** Why the last save failed, unless shown at a field or in the conflict. */
    problem:
      save.error && errors.size === 0 && conflict === null && savedAt === null && !save.isPending
        ? describeFailure(save.error)
        : null,
    set,
    /** Stores the edits until their author has signed in again in this tab. */
    saveDraft: () => saveDraft({ version: base.version, base: baseDraft, draft }),
    /** Validates a field on blur. */
    check: (field: SettingsField) => {
      if (!touched.includes(field)) return;
      const found = settingsChange(base, draft, touched, timeZone).errors;
      const own = [...found].filter(([key]) => key.split('.')[0] === field);
      setErrors((now) => new Map([...sameBut(now, field), ...own]));
    },
    save: () => {
      if (save.isPending || touched.length === 0) return;
      const found = settingsChange(base, draft, touched, timeZone).errors;
      setErrors(found);
      if (found.size > 0) {
        focusField(firstWrong(found));
        return;
      }
      save.mutate({ draft, fields: touched });
    },
    reset: () => {
      save.reset();
      setDraft(baseDraft);
      setErrors(NO_ERRORS);
    },
    /** Rebases the edits on the new version; without fields, adopts it unchanged. */
    takeTheirs: (ownFields: readonly SettingsField[]) => {
      if (!conflict) return;
      const theirs = draftOf(conflict.theirs, timeZone);
      client.setQueryData(settingsQuery(base.id).queryKey, conflict.theirs);
      setDraft(withFields(theirs, draft, ownFields));
      setBase(conflict.theirs);
      setBaseDraft(theirs);
      setConflict(null);
      setErrors(NO_ERRORS);
      save.reset();
    },
  };
}
export type SettingsForm = ReturnType<typeof useSettingsForm>;
