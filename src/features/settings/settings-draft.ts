import * as v from 'valibot';
import type { TestSettings } from '#contract/authoring.ts';
import { CountedAttempt, Visibility } from '#contract/tests.ts';
import { withTeacher } from '#domain/class-names.ts';
import { formatDuration, parseDuration } from '#domain/duration.ts';
import { toZonedInput } from '#domain/zoned-time.ts';
import type { HoursMinutes } from '#app/ui/forms/DurationField.tsx';

/** A picked person or class. */
const PickedPeople = v.object({ id: v.string(), name: v.string() });
export type PickedPeople = v.InferOutput<typeof PickedPeople>;

/** Form state of one person's terms; without a number of attempts or a date the general one. */
const PersonalDraft = v.object({
  userId: v.string(),
  userName: v.string(),
  extraMinutes: v.string(),
  attemptsCount: v.string(),
  startTestTime: v.string(),
  endTestTime: v.string(),
});
export type PersonalDraft = v.InferOutput<typeof PersonalDraft>;

/** Form state of the settings, by API field name; moments as `YYYY-MM-DDTHH:mm` in the school's time zone. */
export const SettingsDraft = v.object({
  name: v.string(),
  description: v.string(),
  theme: v.string(),
  topic: v.string(),
  difficulty: v.string(),
  language: v.string(),
  attemptsCount: v.string(),
  startTestTime: v.string(),
  endTestTime: v.string(),
  passTestTime: v.object({ hours: v.string(), minutes: v.string() }),
  openToAll: v.boolean(),
  /** Minutes. */
  lateWindow: v.string(),
  countedAttempt: CountedAttempt,
  visibility: Visibility,
  offlineStart: v.boolean(),
  /** Minutes; empty: until the end of the school's day. */
  offlineWindow: v.string(),
  assignedUserIds: v.array(PickedPeople),
  assignedGroupIds: v.array(PickedPeople),
  // A list without items is absent in a form.
  personalTerms: v.optional(v.array(PersonalDraft), []),
});
export type SettingsDraft = v.InferOutput<typeof SettingsDraft>;

/** Edited settings and the version they are based on. */
export const StoredSettings = v.object({
  version: v.number(),
  base: SettingsDraft,
  draft: SettingsDraft,
});
export type StoredSettings = v.InferOutput<typeof StoredSettings>;

export type SettingsField = keyof SettingsDraft;

/** Fields in the order of the page. */
const SETTINGS_FIELDS = [
  'name',
  'description',
  'theme',
  'topic',
  'difficulty',
  'language',
  'startTestTime',
  'endTestTime',
  'passTestTime',
  'attemptsCount',
  'countedAttempt',
  'lateWindow',
  'visibility',
  'offlineStart',
  'offlineWindow',
  'openToAll',
  'assignedGroupIds',
  'assignedUserIds',
  'personalTerms',
] as const satisfies readonly SettingsField[];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Untouched duration fields retain their seconds. */
function hoursMinutes(duration: string): HoursMinutes {
  const ms = parseDuration(duration);
  return {
    hours: String(Math.floor(ms / HOUR_MS)),
    minutes: String(Math.floor((ms % HOUR_MS) / MINUTE_MS)),
  };
}

const minutesOf = (duration: string) => String(Math.floor(parseDuration(duration) / MINUTE_MS));

/** Parses a duration for the API; null: invalid. */
export function typedDuration({ hours, minutes }: HoursMinutes): string | null {
  const [h, m] = [hours, minutes].map((text) => (text.trim() === '' ? 0 : wholeNumber(text)));
  if (h === null || m === null || h === undefined || m === undefined) return null;
  const total = h * HOUR_MS + m * MINUTE_MS;
  return total >= 10_000 * HOUR_MS ? null : formatDuration(total);
}

/** More than any field accepts: a longer text is refused by the field's own limit. */
const MAX_WHOLE_NUMBER = 99_999;

/** Parses an integer; null: invalid. */
export function wholeNumber(text: string): number | null {
  return /^\s*\d+\s*$/.test(text) ? Math.min(Number(text), MAX_WHOLE_NUMBER) : null;
}

/** Converts settings to form state. */
export function draftOf(settings: TestSettings, timeZone: string): SettingsDraft {
  const moment = (iso: string | null) =>
    iso === null ? '' : toZonedInput(Date.parse(iso), timeZone);
  return {
    name: settings.name,
    description: settings.description,
    theme: settings.theme,
    topic: settings.topic,
    difficulty: settings.difficulty,
    language: settings.language,
    attemptsCount: String(settings.attemptsCount),
    startTestTime: moment(settings.startTestTime),
    endTestTime: moment(settings.endTestTime),
    passTestTime: hoursMinutes(settings.passTestTime),
    openToAll: settings.openToAll,
    lateWindow: minutesOf(settings.lateWindow),
    countedAttempt: settings.countedAttempt,
    visibility: settings.visibility,
    offlineStart: settings.offlineStart,
    offlineWindow: settings.offlineWindow === null ? '' : minutesOf(settings.offlineWindow),
    assignedUserIds: settings.assignedUsers.map(({ userId, userName }) => ({
      id: userId,
      name: userName,
    })),
    // A colleague's class may have the name of an own one that is not assigned.
    assignedGroupIds: settings.assignedGroups.map((group) => ({
      id: group.groupId,
      name: group.owner === settings.owner ? group.name : withTeacher(group),
    })),
    personalTerms: settings.personalTerms.map((term) => ({
      userId: term.userId,
      userName: term.userName,
      extraMinutes: String(term.extraMinutes),
      attemptsCount: term.attemptsCount === null ? '' : String(term.attemptsCount),
      startTestTime: moment(term.startTestTime),
      endTestTime: moment(term.endTestTime),
    })),
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Fields in which two drafts differ, in the order of the page. */
export function changedFields(a: SettingsDraft, b: SettingsDraft): SettingsField[] {
  return SETTINGS_FIELDS.filter((field) => !same(a[field], b[field]));
}

/** `onto` with the given fields of `from`. */
export function withFields(
  onto: SettingsDraft,
  from: SettingsDraft,
  fields: readonly SettingsField[],
): SettingsDraft {
  return { ...onto, ...Object.fromEntries(fields.map((field) => [field, from[field]])) };
}
