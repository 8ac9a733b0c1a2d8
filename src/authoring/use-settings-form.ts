import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { getTestSettings, updateTest, type TestSettings } from '#contract/authoring.ts';
import { StaleVersionDetails } from '#contract/errors.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { useDevice } from '#app/offline/device-context.ts';
import type { KeptSettings } from './kept-settings.ts';
import { refreshTests, settingsQuery } from './queries.ts';
import { firstWrong, serverErrors, settingsChange, type FieldErrors } from './settings-change.ts';
import {
  changedFields,
  draftOf,
  withFields,
  type SettingsDraft,
  type SettingsField,
} from './settings-draft.ts';
import type { TabKeeper } from './tab-keeper.ts';

/** Somebody else was first: what stands on the server now, and what this page had started from. */
export interface Conflict {
  theirs: TestSettings;
  updatedBy: string | null;
  /** Fields that they changed. */
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

/** Puts the focus into the first wrong field, once its error stands there. */
function focusField(field: SettingsField | null): void {
  if (field === null) return;
  requestAnimationFrame(() => {
    const group = document.querySelector(`[data-field="${field}"]`);
    const wrong = group?.querySelector<HTMLElement>('[aria-invalid]');
    (wrong ?? group?.querySelector<HTMLElement>('input, textarea, select, button'))?.focus();
  });
}

/**
 * The settings of a test while they are edited: what is typed, what differs from the version it was
 * read at, and the saving, which sends the touched fields alone and overwrites nobody's work.
 */
export function useSettingsForm(settings: TestSettings, keeper: TabKeeper<KeptSettings>) {
  const { timeZone, serverNow } = useDevice();
  const client = useQueryClient();
  // What a sign-in's end took from the screen goes on over the version that it was typed over.
  const [kept] = useState(keeper.read);
  const [base, setBase] = useState(() =>
    kept ? { ...settings, version: kept.version } : settings,
  );
  const [draft, setDraft] = useState(() => kept?.draft ?? draftOf(settings, timeZone));
  const [errors, setErrors] = useState<FieldErrors>(NO_ERRORS);
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [baseDraft, setBaseDraft] = useState(() => kept?.base ?? draft);
  const touched = changedFields(baseDraft, draft);
  useEffect(() => keeper.forget(), [keeper]);

  /** The server has what was sent; what was typed meanwhile stays typed. */
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
  /** Null: it cannot be read now. */
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
      // It is written, whether or not it can be read back now.
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
      // Without it the page says the server's own words, and the next saving asks again.
      if (theirs === null) return;
      const theirDraft = draftOf(theirs, timeZone);
      const differing = changedFields(theirDraft, sent.draft);
      if (sent.fields.every((field) => !differing.includes(field))) {
        // An earlier saving of ours whose reply was lost.
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

  // Nothing is typed here, so a newer version is simply shown.
  if (settings.version > base.version && touched.length === 0 && !save.isPending && !conflict) {
    const newer = draftOf(settings, timeZone);
    setBase(settings);
    setBaseDraft(newer);
    setDraft(newer);
  }

  return {
    /** What is known of the test by now, whatever version the form started from. */
    facts: settings,
    draft,
    touched,
    errors,
    savedAt,
    conflict,
    isSaving: save.isPending,
    /** Why the last saving failed, unless it is said at a field or in the conflict. */
    problem:
      save.error && errors.size === 0 && conflict === null && savedAt === null && !save.isPending
        ? failureWords(save.error)
        : null,
    set,
    /** Keeps what is typed until its author has signed in again in this tab. */
    keep: () => keeper.keep({ version: base.version, base: baseDraft, draft }),
    /** Checks one field when it is left. */
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
    /** Goes on from the new version with one's own fields laid over it; with none, takes it as it is. */
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
