import type { TestLifecycle, Visibility } from '#contract/tests.ts';
import { demoTest } from './content/all.ts';
import { demoClass } from './people.ts';

/** A test as it is stored after the start of the demo. */
export interface PlannedTest {
  /** Unique; also the scope of the ids of its questions (`questionsOf(content, {scope: key})`). */
  readonly key: string;
  /** Key of the demo content. */
  readonly content: string;
  readonly name: string;
  /** E-mail of the owner. */
  readonly owner: string;
  readonly lifecycle: TestLifecycle;
  readonly startTime: Date;
  readonly endTime: Date;
  /** `HH:mm:ss`. */
  readonly passTime: string;
  readonly attemptsCount: number;
  readonly lateWindowSeconds: number;
  readonly openToAll: boolean;
  /** Names of classes. */
  readonly assignedGroups: readonly string[];
  readonly countedAttempt: 'best' | 'last' | 'average';
  readonly visibility: Visibility;
  readonly personalTerms: readonly {
    readonly email: string;
    readonly extraSeconds: number;
    readonly attemptsCount: number | null;
  }[];
  readonly createdAt: Date;
}

const MOSCOW_OFFSET_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;

/** A time of day in Moscow, so many days from today there. */
export function moscow(now: Date, days: number, hours: number, minutes = 0): Date {
  const midnight =
    Math.floor((now.getTime() + MOSCOW_OFFSET_MS) / DAY_MS) * DAY_MS - MOSCOW_OFFSET_MS;
  return new Date(midnight + days * DAY_MS + (hours * 60 + minutes) * 60_000);
}

const NEWTON = 'teacher@demo.ru';

type TestOptions = Pick<PlannedTest, 'key' | 'owner'> & {
  days: readonly [opens: number, closes: number];
} & Partial<Omit<PlannedTest, 'key' | 'owner' | 'startTime' | 'endTime'>>;

/** Opens at 8:00 and closes at 20:00 of the given days; assigned to the class by default. */
function planned(now: Date, { days: [opens, closes], ...own }: TestOptions): PlannedTest {
  const content = demoTest(own.content ?? own.key);
  return {
    content: content.key,
    name: content.name,
    lifecycle: 'active',
    startTime: moscow(now, opens, 8),
    endTime: moscow(now, closes, 20),
    passTime: content.passTime,
    attemptsCount: content.attemptsCount,
    lateWindowSeconds: 900,
    openToAll: false,
    assignedGroups: [demoClass.name],
    countedAttempt: 'best',
    visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
    personalTerms: [],
    createdAt: new Date(
      Math.min(moscow(now, opens - 2, 16).getTime(), moscow(now, -1, 15).getTime()),
    ),
    ...own,
  };
}

/** More of the test base, so that each status has an example there. */
function openToEveryone(now: Date): PlannedTest[] {
  const open = { openToAll: true, assignedGroups: [] };
  return [
    planned(now, {
      ...open,
      key: 'physics-training',
      content: 'physics',
      owner: NEWTON,
      days: [-12, 50],
      name: 'Законы Ньютона. Тренировка',
      attemptsCount: 1,
    }),
    planned(now, {
      ...open,
      key: 'russian-training',
      content: 'russian',
      owner: 'belova@demo.ru',
      days: [-30, -3],
      name: 'Правописание суффиксов. Пробный тест',
    }),
    planned(now, {
      ...open,
      key: 'informatics-training',
      content: 'informatics',
      owner: NEWTON,
      days: [-8, 40],
      name: 'Системы счисления. Тренировка',
      attemptsCount: 3,
    }),
    planned(now, {
      ...open,
      key: 'history-training',
      content: 'history',
      owner: 'belova@demo.ru',
      days: [-9, 45],
      name: 'Великие реформы. Тренировка',
    }),
    planned(now, {
      ...open,
      key: 'chemistry-training',
      content: 'chemistry',
      owner: 'tsoy@demo.ru',
      days: [2, 40],
      name: 'Химические реакции. Подготовка к зачёту',
    }),
    planned(now, {
      ...open,
      key: 'biology-archive',
      content: 'biology',
      owner: 'tsoy@demo.ru',
      days: [-50, -20],
      name: 'Клетка и основы генетики. Прошлый год',
      lifecycle: 'archived',
    }),
  ];
}

/** All tests of the demo; times depend on `now` alone. */
export function plannedTests(now: Date): PlannedTest[] {
  return [
    planned(now, {
      key: 'physics',
      owner: NEWTON,
      days: [-1, 14],
      personalTerms: [{ email: 'student05@demo.ru', extraSeconds: 900, attemptsCount: null }],
    }),
    planned(now, { key: 'math', owner: NEWTON, days: [-2, 10] }),
    planned(now, { key: 'russian', owner: 'belova@demo.ru', days: [-3, 12] }),
    planned(now, { key: 'informatics', owner: NEWTON, days: [-4, 6] }),
    planned(now, { key: 'history', owner: 'belova@demo.ru', days: [-2, 5] }),
    planned(now, {
      key: 'english',
      owner: 'yusupova@demo.ru',
      days: [-10, 30],
      name: 'Present Perfect и Past Simple. Домашняя работа',
      passTime: '24:00:00',
      openToAll: true,
      assignedGroups: [],
      visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'atOnce' },
    }),
    planned(now, { key: 'biology', owner: 'tsoy@demo.ru', days: [3, 5] }),
    planned(now, { key: 'chemistry', owner: 'tsoy@demo.ru', days: [-12, -5] }),
    planned(now, {
      key: 'physics-archive',
      content: 'physics',
      owner: NEWTON,
      days: [-40, 20],
      name: 'Законы Ньютона. Самостоятельная работа',
      lifecycle: 'archived',
      attemptsCount: 1,
    }),
    planned(now, {
      key: 'physics-draft',
      content: 'physics',
      owner: NEWTON,
      days: [0, 30],
      name: 'Законы Ньютона. Пересдача',
      lifecycle: 'draft',
      assignedGroups: [],
    }),
    planned(now, {
      key: 'math-training',
      content: 'math',
      owner: NEWTON,
      days: [-20, 60],
      name: 'Квадратичная функция. Тренировка',
      passTime: '01:30:00',
      attemptsCount: 5,
      openToAll: true,
      assignedGroups: [],
      countedAttempt: 'last',
    }),
    planned(now, {
      key: 'biology-training',
      content: 'biology',
      owner: 'tsoy@demo.ru',
      days: [-15, 45],
      name: 'Клетка и основы генетики. Повторение',
      passTime: '01:00:00',
      attemptsCount: 3,
      openToAll: true,
      assignedGroups: [],
    }),
    ...openToEveryone(now),
  ];
}
