import * as v from 'valibot';
import { CountedAttempt, Visibility } from '#contract/tests.ts';
import type { SettingsDraft } from './settings-draft.ts';

const Person = v.object({ userId: v.string(), userName: v.string() });

const Draft = v.object({
  name: v.string(),
  description: v.string(),
  theme: v.string(),
  topic: v.string(),
  difficulty: v.string(),
  attemptsCount: v.string(),
  startTestTime: v.string(),
  endTestTime: v.string(),
  passTestTime: v.object({ hours: v.string(), minutes: v.string() }),
  openToAll: v.boolean(),
  lateWindow: v.string(),
  countedAttempt: CountedAttempt,
  visibility: Visibility,
  assignedUserIds: v.array(Person),
  assignedGroupIds: v.array(v.object({ groupId: v.string(), name: v.string() })),
  personalTerms: v.array(
    v.object({ ...Person.entries, extraMinutes: v.string(), attemptsCount: v.string() }),
  ),
}) satisfies v.GenericSchema<unknown, SettingsDraft>;

/** Edited settings and the version they are based on. */
export interface StoredSettings {
  readonly version: number;
  readonly base: SettingsDraft;
  readonly draft: SettingsDraft;
}

export const StoredSettings: v.GenericSchema<unknown, StoredSettings> = v.object({
  version: v.number(),
  base: Draft,
  draft: Draft,
});
