import * as v from 'valibot';
import { updateTest, type TestSettings, type UpdateTestBody } from '#contract/authoring.ts';
import { formatDuration, parseDuration } from '#domain/duration.ts';
import { termsProblems } from '#domain/test-terms.ts';
import { fromZonedInput } from '#domain/zoned-time.ts';
import { issuePath } from '#app/lib/field-problems.ts';
import {
  changedFields,
  SettingsDraft,
  typedDuration,
  wholeNumber,
  type SettingsField,
} from './settings-draft.ts';

/** The base of the form: the settings on the server, and the form that shows them. */
export interface SettingsBase {
  readonly settings: TestSettings;
  readonly draft: SettingsDraft;
}

/** Messages by field; `personalTerms.0.attemptsCount` is an item of a list. */
type FieldErrors = ReadonlyMap<string, string>;

const NO_TIME = 'Укажите день и время';
const NOT_WHOLE = 'Введите целое число';

type Values = Omit<UpdateTestBody, 'id' | 'version' | 'questions'>;

/** Parsed values of the fields, and errors of unparsable ones. */
function valuesOf(draft: SettingsDraft, timeZone: string) {
  const wrong = new Map<string, string>();
  const moment = (field: string, typed: string) => {
    if (typed === '') return null;
    const at = fromZonedInput(typed, timeZone);
    if (at === null) wrong.set(field, NO_TIME);
    return at === null ? null : new Date(at).toISOString();
  };
  const whole = (field: string, text: string) => {
    const value = wholeNumber(text);
    if (value === null) wrong.set(field, NOT_WHOLE);
    return value ?? 1;
  };
  const passTestTime = typedDuration(draft.passTestTime);
  if (passTestTime === null) wrong.set('passTestTime', 'Введите часы и минуты числами');
  const values: Values = {
    name: draft.name,
    description: draft.description,
    theme: draft.theme as NonNullable<Values['theme']>,
    topic: draft.topic,
    difficulty: draft.difficulty as NonNullable<Values['difficulty']>,
    language: draft.language as NonNullable<Values['language']>,
    attemptsCount: whole('attemptsCount', draft.attemptsCount),
    startTestTime: moment('startTestTime', draft.startTestTime),
    endTestTime: moment('endTestTime', draft.endTestTime),
    passTestTime: passTestTime ?? '00:01:00',
    openToAll: draft.openToAll,
    lateWindow: formatDuration(whole('lateWindow', draft.lateWindow) * 60_000),
    countedAttempt: draft.countedAttempt,
    visibility: draft.visibility,
    offlineStart: draft.offlineStart,
    offlineWindow:
      draft.offlineWindow.trim() === ''
        ? null
        : formatDuration(whole('offlineWindow', draft.offlineWindow) * 60_000),
    assignedUserIds: draft.assignedUserIds.map(({ id }) => id),
    assignedGroupIds: draft.assignedGroupIds.map(({ id }) => id),
    personalTerms: draft.personalTerms.map((term, index) => ({
      userId: term.userId,
      extraMinutes:
        term.extraMinutes.trim() === ''
          ? 0
          : whole(`personalTerms.${index}.extraMinutes`, term.extraMinutes),
      attemptsCount:
        term.attemptsCount.trim() === ''
          ? null
          : whole(`personalTerms.${index}.attemptsCount`, term.attemptsCount),
      startTestTime: moment(`personalTerms.${index}.startTestTime`, term.startTestTime),
      endTestTime: moment(`personalTerms.${index}.endTestTime`, term.endTestTime),
    })),
  };
  return { values, wrong };
}

const NOBODY = new Map<string, number>();

/** The change of the touched fields, and their errors; the server validates again. */
export function settingsChange(
  base: { id: string; version: number },
  draft: SettingsDraft,
  fields: readonly SettingsField[],
  timeZone: string,
): { body: UpdateTestBody; errors: FieldErrors } {
  const { values, wrong } = valuesOf(draft, timeZone);
  const body: UpdateTestBody = {
    id: base.id,
    version: base.version,
    ...Object.fromEntries(fields.map((field) => [field, values[field]])),
  };
  const errors = new Map(
    [...wrong].filter(([field]) => fields.some((one) => field.split('.')[0] === one)),
  );
  const add = (field: string, message: string) => {
    if (!errors.has(field)) errors.set(field, message);
  };
  for (const issue of v.safeParse(updateTest.body, body).issues ?? []) {
    add(v.getDotPath(issue) ?? '', issue.message);
  }
  const time = (iso: string | null | undefined) => (iso ? Date.parse(iso) : null);
  const terms = termsProblems(
    {
      startTime: time(values.startTestTime),
      endTime: time(values.endTestTime),
      attemptsCount: values.attemptsCount ?? 1,
      lateWindowMs: parseDuration(values.lateWindow ?? '00:00:00'),
      offlineWindowMs: parseDuration(values.offlineWindow ?? '00:00:00'),
      personalTerms: (values.personalTerms ?? []).map((term) => ({
        userId: term.userId,
        // Only the server knows how many attempts somebody has made.
        attemptsCount: null,
        startTime: time(term.startTestTime),
        endTime: time(term.endTestTime),
      })),
    },
    NOBODY,
  );
  for (const { field, message } of terms) add(field, message);
  return { body, errors };
}

/** Converts the input to a change: the fields that differ from the base. */
export const settingsSchema = (base: () => SettingsBase, timeZone: string) =>
  v.pipe(
    SettingsDraft,
    v.rawTransform(({ dataset: { value: draft }, addIssue, NEVER }) => {
      const { settings, draft: before } = base();
      const fields = changedFields(before, draft);
      const { body, errors } = settingsChange(settings, draft, fields, timeZone);
      // Without a change nothing is sent.
      if (fields.length === 0 || errors.size === 0) return body;
      for (const [field, message] of errors) addIssue({ message, path: issuePath(field) });
      return NEVER;
    }),
  );
