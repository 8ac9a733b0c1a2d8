import type { CountedAttempt, DisclosureTime } from '#contract/tests.ts';
import { formatCount } from '#domain/format.ts';
import { formatDuration, formatMoment } from '#domain/format-time.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { BY_SUBJECT, isLanguage, LANGUAGE_LABELS } from '#domain/languages.ts';
import { grantedMs } from '#domain/deadline.ts';
import { parseDuration } from '#domain/duration.ts';
import { fromZonedInput } from '#domain/zoned-time.ts';
import {
  typedDuration,
  wholeNumber,
  type SettingsDraft,
  type SettingsField,
} from './settings-draft.ts';

/** Labels of the fields, as on the page and wherever a field is named. */
export const FIELD_LABELS: Readonly<Record<SettingsField, string>> = {
  name: 'Название',
  description: 'Описание',
  theme: 'Предмет',
  topic: 'Тема',
  difficulty: 'Сложность',
  language: 'Язык вопросов',
  attemptsCount: 'Попыток каждому',
  startTestTime: 'Начало',
  endTestTime: 'Окончание',
  passTestTime: 'Время на прохождение',
  openToAll: 'Открыт всем в базе тестов',
  lateWindow: 'Ответы, дошедшие после срока',
  countedAttempt: 'Какая попытка идёт в зачёт',
  visibility: 'Что видит ученик',
  offlineStart: 'Начало без сети',
  offlineWindow: 'Ответы засчитываются сами, минут',
  assignedUserIds: 'Назначен ученикам',
  assignedGroupIds: 'Назначен классам',
  personalTerms: 'Личные условия',
};

export const MOMENT_LABELS: Readonly<Record<DisclosureTime, string>> = {
  atOnce: 'сразу после завершения',
  afterClose: 'когда тест закроется для всех',
  never: 'не показывать',
};

export const COUNTED_LABELS: Readonly<Record<CountedAttempt, string>> = {
  best: 'Лучшая',
  last: 'Последняя',
  average: 'Среднее по всем',
};

export const PART_LABELS = {
  ownAnswers: 'Свои ответы',
  points: 'Баллы и верность каждого ответа',
  correctAnswers: 'Верные ответы и пояснения',
} as const;

const MINUTE_MS = 60_000;

/** Explains the late window for a student who was offline. */
export function lateWindowHint(minutes: string): string {
  const value = wholeNumber(minutes);
  if (value === null) return '';
  const laterAnswers = 'Более поздние не пропадут: вы увидите их и решите, засчитать ли.';
  if (value === 0)
    return `Засчитаются только ответы, которые дошли до конца времени. ${laterAnswers}`;
  return `Если у ученика пропала сеть, ответы, данные вовремя, засчитаются, если дойдут за ${formatDuration(value * MINUTE_MS)} после конца времени. ${laterAnswers}`;
}

/** Lists the students for whom the closing of the test shortens the time even if they start at the opening. */
function cutMessages(
  draft: SettingsDraft,
  terms: { startedAt: number; passMs: number; testEnd: number },
): string[] {
  const open = formatDuration(terms.testEnd - terms.startedAt);
  const isCut = (extraMs: number) => grantedMs({ ...terms, extraMs }) < terms.passMs + extraMs;
  if (isCut(0))
    return [
      `Тест открыт ${open}, а времени на него ${formatDuration(terms.passMs)}: попытка закончится вместе с тестом.`,
    ];
  const cut = draft.personalTerms.filter(
    ({ extraMinutes, startTestTime, endTestTime }) =>
      startTestTime === '' &&
      endTestTime === '' &&
      isCut((wholeNumber(extraMinutes) ?? 0) * MINUTE_MS),
  );
  return cut.map(
    ({ userName, extraMinutes }) =>
      `${userName}: вместе с добавленными минутами нужно ${formatDuration(terms.passMs + (wholeNumber(extraMinutes) ?? 0) * MINUTE_MS)}, а тест открыт ${open}. Попытка закончится вместе с тестом: закройте его позже.`,
  );
}

/** Contradictions that may be intended: they cause a warning, not a refusal. */
export function settingsWarnings(draft: SettingsDraft, timeZone: string, now: number): string[] {
  const start = fromZonedInput(draft.startTestTime, timeZone);
  const end = fromZonedInput(draft.endTestTime, timeZone);
  const pass = typedDuration(draft.passTestTime);
  const warnings: string[] = [];
  if (end !== null && end <= now)
    warnings.push('Окончание уже прошло: опубликованный тест будет закрыт для всех.');
  const startedAt = Math.max(start ?? now, now);
  if (end !== null && pass !== null && end > startedAt)
    warnings.push(...cutMessages(draft, { startedAt, passMs: parseDuration(pass), testEnd: end }));
  if (end === null && Object.values(draft.visibility).includes('afterClose')) {
    warnings.push(
      'У теста нет окончания: то, что видно после закрытия, откроется, только когда тест будет в архиве.',
    );
  }
  return warnings;
}

const names = (list: readonly string[]) => (list.length === 0 ? 'никому' : list.join(', '));

/** Own dates: «с …», «до …» or both. */
function dates(
  { startTestTime, endTestTime }: Pick<SettingsDraft, 'startTestTime' | 'endTestTime'>,
  { now, timeZone }: { now: number; timeZone: string },
): string {
  const moment = (word: string, typed: string) => {
    const at = fromZonedInput(typed, timeZone);
    return at === null ? '' : `${word} ${formatMoment(at, now, timeZone)}`;
  };
  return [moment('с', startTestTime), moment('до', endTestTime)].filter(Boolean).join(' ');
}

/** Formats a field's value as text. */
export function formatSetting(
  draft: SettingsDraft,
  field: SettingsField,
  when: { now: number; timeZone: string },
): string {
  switch (field) {
    case 'theme':
      return draft.theme === '' ? 'не указан' : subjectLabel(draft.theme);
    case 'language':
      return isLanguage(draft.language) ? LANGUAGE_LABELS[draft.language] : BY_SUBJECT;
    case 'difficulty':
      return draft.difficulty === '' ? 'не указана' : difficultyLabel(draft.difficulty);
    case 'startTestTime':
    case 'endTestTime': {
      const at = fromZonedInput(draft[field], when.timeZone);
      return at === null ? 'не указано' : formatMoment(at, when.now, when.timeZone);
    }
    case 'passTestTime': {
      const duration = typedDuration(draft.passTestTime);
      return duration === null ? 'не указано' : formatDuration(parseDuration(duration));
    }
    case 'lateWindow':
      return formatCount(wholeNumber(draft.lateWindow) ?? 0, ['минута', 'минуты', 'минут']);
    case 'offlineWindow':
      return draft.offlineWindow === ''
        ? 'до конца дня'
        : formatCount(wholeNumber(draft.offlineWindow) ?? 0, ['минута', 'минуты', 'минут']);
    case 'openToAll':
    case 'offlineStart':
      return draft[field] ? 'да' : 'нет';
    case 'countedAttempt':
      return COUNTED_LABELS[draft.countedAttempt];
    case 'visibility':
      return (['ownAnswers', 'points', 'correctAnswers'] as const)
        .map((part) => `${PART_LABELS[part]}: ${MOMENT_LABELS[draft.visibility[part]]}`)
        .join('; ');
    case 'assignedUserIds':
      return names(draft.assignedUserIds.map(({ name }) => name));
    case 'assignedGroupIds':
      return names(draft.assignedGroupIds.map(({ name }) => name));
    case 'personalTerms':
      return names(
        draft.personalTerms.map(
          (term) =>
            `${term.userName} (${[
              `+${term.extraMinutes || '0'} мин`,
              term.attemptsCount && `попыток ${term.attemptsCount}`,
              dates(term, when),
            ]
              .filter(Boolean)
              .join(', ')})`,
        ),
      );
    case 'name':
    case 'description':
    case 'topic':
    case 'attemptsCount':
      return draft[field] === '' ? 'пусто' : draft[field];
  }
}
