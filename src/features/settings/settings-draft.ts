import type { TestSettings } from '#contract/authoring.ts';
import type { CountedAttempt, Visibility } from '#contract/tests.ts';
import { formatDuration, parseDuration } from '#domain/duration.ts';
import { toZonedInput } from '#domain/zoned-time.ts';
import type { HoursMinutes } from '#app/ui/forms/DurationField.tsx';

export interface AssignedPerson {
  userId: string;
  userName: string;
}

export interface AssignedClass {
  groupId: string;
  name: string;
}

/** Form state of one person's terms. */
export interface PersonalDraft extends AssignedPerson {
  extraMinutes: string;
  /** Empty: the general number. */
  attemptsCount: string;
}

/** Form state of the settings, by API field name. */
export interface SettingsDraft {
  name: string;
  description: string;
  theme: string;
  topic: string;
  difficulty: string;
  attemptsCount: string;
  /** `YYYY-MM-DDTHH:mm` in the school's time zone; empty: none. */
  startTestTime: string;
  endTestTime: string;
  passTestTime: HoursMinutes;
  openToAll: boolean;
  /** Minutes. */
  lateWindow: string;
  countedAttempt: CountedAttempt;
  visibility: Visibility;
  assignedUserIds: readonly AssignedPerson[];
  assignedGroupIds: readonly AssignedClass[];
  personalTerms: readonly PersonalDraft[];
}
export type SettingsField = keyof SettingsDraft;

/** Fields in the order of the page. */
export const SETTINGS_FIELDS = [
  'name',
  'description',
  'theme',
  'topic',
  'difficulty',
  'startTestTime',
  'endTestTime',
  'passTestTime',
  'attemptsCount',
  'countedAttempt',
  'lateWindow',
  'visibility',
  'openToAll',
  'assignedGroupIds',
  'assignedUserIds',
  'personalTerms',
] as const satisfies readonly SettingsField[];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Untouched duration fields keep their seconds. */
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

/** Parses an integer; null: invalid. */
export function wholeNumber(text: string): number | null {
  return /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : null;
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
    attemptsCount: String(settings.attemptsCount),
    startTestTime: moment(settings.startTestTime),
    endTestTime: moment(settings.endTestTime),
    passTestTime: hoursMinutes(settings.passTestTime),
    openToAll: settings.openToAll,
    lateWindow: minutesOf(settings.lateWindow),
    countedAttempt: settings.countedAttempt,
    visibility: settings.visibility,
    assignedUserIds: settings.assignedUsers.map(({ userId, userName }) => ({ userId, userName })),
    assignedGroupIds: settings.assignedGroups.map(({ groupId, name }) => ({ groupId, name })),
    personalTerms: settings.personalTerms.map((term) => ({
      userId: term.userId,
      userName: term.userName,
      extraMinutes: String(term.extraMinutes),
      attemptsCount: term.attemptsCount === null ? '' : String(term.attemptsCount),
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
