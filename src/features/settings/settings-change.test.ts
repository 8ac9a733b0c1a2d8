import { expect, test } from 'vitest';
import type { TestSettings } from '#contract/authoring.ts';
import { settingsChange } from './settings-change.ts';
import { changedFields, draftOf, withFields, type SettingsDraft } from './settings-draft.ts';
import { fromZonedInput } from '#domain/zoned-time.ts';
import { lateWindowHint, settingsWarnings } from './messages.ts';

const ZONE = 'Europe/Moscow';
const settings: TestSettings = {
  id: '00000000-0000-4000-8000-00000000000a',
  version: 3,
  lifecycle: 'draft',
  level: 'owner',
  ownerId: '00000000-0000-4000-8000-00000000000b',
  owner: 'О. В. Лаптева',
  name: 'Законы Ньютона',
  description: '',
  theme: 'physics',
  difficulty: '',
  topic: '',
  language: '',
  attemptsCount: 1,
  startTestTime: '2026-05-22T06:00:30.000Z',
  endTestTime: '2026-05-22T12:00:00.000Z',
  passTestTime: '00:40:20',
  maxPoints: 17,
  totalQuestions: 6,
  openToAll: false,
  lateWindow: '00:15:00',
  countedAttempt: 'best',
  offlineStart: false,
  offlineWindow: null,
  visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
  assignedUsers: [],
  assignedGroups: [],
  personalTerms: [],
  attempts: 0,
  mostAttempts: 0,
  runningAttempts: 0,
  updatedAt: '2026-05-20T06:00:00.000Z',
};
const base = draftOf(settings, ZONE);
const BEFORE = 0;

/** The change of a draft that differs from the base in some fields. */
function change(part: Partial<SettingsDraft>) {
  const draft = { ...base, ...part };
  return settingsChange(settings, draft, changedFields(base, draft), ZONE);
}

test('only touched fields are sent; seconds of an untouched time stay with the server', () => {
  expect(change({ name: 'Силы' }).body).toEqual({
    id: settings.id,
    version: 3,
    name: 'Силы',
  });
});

test('times are those of the school, durations those of the wire', () => {
  const { body, errors } = change({
    startTestTime: '2026-05-23T10:30',
    endTestTime: '',
    passTestTime: { hours: '1', minutes: '75' },
    lateWindow: '90',
    offlineStart: true,
    offlineWindow: '180',
  });
  expect(body).toMatchObject({
    offlineStart: true,
    offlineWindow: '03:00:00',
    startTestTime: '2026-05-23T07:30:00.000Z',
    endTestTime: null,
    passTestTime: '02:15:00',
    lateWindow: '01:30:00',
  });
  expect(errors.size).toBe(0);
});

test.each<[Partial<SettingsDraft>, string, string]>([
  [{ endTestTime: '2026-05-22T09:00' }, 'endTestTime', 'Окончание должно быть позже начала'],
  [{ passTestTime: { hours: '', minutes: '0' } }, 'passTestTime', 'Время на тест больше нуля'],
  [{ passTestTime: { hours: 'x', minutes: '0' } }, 'passTestTime', 'Введите часы и минуты числами'],
  [{ attemptsCount: '1,5' }, 'attemptsCount', 'Введите целое число'],
  [{ attemptsCount: '0' }, 'attemptsCount', 'Нужна хотя бы одна попытка'],
  [{ attemptsCount: '9'.repeat(30) }, 'attemptsCount', 'Не больше 100 попыток'],
  [{ lateWindow: '9'.repeat(30) }, 'lateWindow', 'Не больше 7 дней'],
  [{ lateWindow: '20000' }, 'lateWindow', 'Не больше 7 дней'],
  [{ offlineWindow: '20000' }, 'offlineWindow', 'Не больше 7 дней'],
  [{ offlineWindow: 'день' }, 'offlineWindow', 'Введите целое число'],
  [{ name: ' ' }, 'name', 'Введите название теста'],
  [
    {
      personalTerms: [
        {
          userId: settings.ownerId,
          userName: 'Анна',
          extraMinutes: 'много',
          attemptsCount: '',
          startTestTime: '',
          endTestTime: '',
        },
      ],
    },
    'personalTerms.0.extraMinutes',
    'Введите целое число',
  ],
])('%j is wrong at %s', (part, field, message) => {
  const { errors } = change(part);
  expect([...errors]).toEqual([[field, message]]);
});

test('own dates of a person are sent as moments, and one that ends before it begins is refused', () => {
  const own = (startTestTime: string, endTestTime: string) =>
    change({
      personalTerms: [
        {
          userId: settings.ownerId,
          userName: 'Анна',
          extraMinutes: '0',
          attemptsCount: '',
          startTestTime,
          endTestTime,
        },
      ],
    });
  const { body, errors } = own('2026-06-07T09:00', '2026-06-07T10:00');
  expect([...errors]).toEqual([]);
  expect(body.personalTerms).toMatchObject([
    {
      startTestTime: new Date(fromZonedInput('2026-06-07T09:00', ZONE) ?? 0).toISOString(),
      endTestTime: new Date(fromZonedInput('2026-06-07T10:00', ZONE) ?? 0).toISOString(),
    },
  ]);
  expect([...own('2026-06-07T10:00', '2026-06-07T09:00').errors]).toEqual([
    ['personalTerms.0.endTestTime', 'Окончание должно быть позже начала'],
  ]);
});

test('two versions merge by field: local touched fields over the new version', () => {
  const own = { ...base, name: 'Моё', topic: 'Силы' };
  const theirs = { ...base, name: 'Их', attemptsCount: '5' };
  const merged = withFields(theirs, own, changedFields(base, own));
  expect(merged).toEqual({ ...base, name: 'Моё', topic: 'Силы', attemptsCount: '5' });
});

test('possible contradictions are warned about and not refused', () => {
  expect(
    settingsWarnings({ ...base, passTestTime: { hours: '10', minutes: '0' } }, ZONE, BEFORE),
  ).toEqual([
    'Тест открыт 6 часов, а времени на него 10 часов: попытка закончится вместе с тестом.',
  ]);
  expect(settingsWarnings({ ...base, endTestTime: '' }, ZONE, BEFORE)).toHaveLength(1);
  expect(settingsWarnings(base, ZONE, BEFORE)).toEqual([]);
});

test('time that the closing cuts is warned about, by person, and so is an end that has passed', () => {
  const start = fromZonedInput(base.startTestTime, ZONE) ?? 0;
  const end = fromZonedInput(base.endTestTime, ZONE) ?? 0;
  const terms = (extraMinutes: string) => ({
    ...base,
    passTestTime: { hours: '6', minutes: '0' },
    personalTerms: [
      {
        userId: 'a',
        userName: 'Анна',
        extraMinutes,
        attemptsCount: '',
        startTestTime: '',
        endTestTime: '',
      },
    ],
  });
  expect(settingsWarnings(terms('0'), ZONE, start)).toEqual([]);
  expect(settingsWarnings(terms('15'), ZONE, start)).toEqual([
    expect.stringMatching(/^Анна: .*6\sч.*15\sмин.*тест открыт 6\sчасов.*закройте его позже/u),
  ]);
  expect(settingsWarnings(base, ZONE, end - 60_000)).toEqual([
    expect.stringMatching(/^Тест открыт 1\sминут/u),
  ]);
  expect(settingsWarnings(base, ZONE, end)).toEqual([
    'Окончание уже прошло: опубликованный тест будет закрыт для всех.',
  ]);
});

test.each([
  ['0', 'Засчитаются только ответы, которые дошли до конца времени.'],
  ['15', 'засчитаются, если дойдут за 15 минут после конца времени.'],
  ['x', ''],
])('a late window of %s minutes is explained', (minutes, words) => {
  expect(lateWindowHint(minutes)).toContain(words);
});
