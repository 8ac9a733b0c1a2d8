import { createModuleLoader } from '#app/lazy/module-loader.ts';

/** Pages of docs/help by the last path segment; loaded lazily. */
export const TOPICS = [
  {
    key: 'student',
    title: 'Ученику',
    about: 'До теста, во время и после; что делать, когда пропала сеть',
    load: createModuleLoader(() => import('#docs/help/student.md?raw')),
  },
  {
    key: 'teacher',
    title: 'Преподавателю',
    about: 'Первый тест за десять минут, урок с плохим Wi-Fi, поздние ответы',
    load: createModuleLoader(() => import('#docs/help/teacher.md?raw')),
  },
  {
    key: 'operator',
    title: 'Тому, кто ставит сервер',
    about: 'Установка на одну машину, сертификаты для телефонов, резервные копии, обновление',
    load: createModuleLoader(() => import('#docs/help/operator.md?raw')),
  },
  {
    key: 'accessibility',
    title: 'Доступность',
    about: 'Клавиатура, экранный доступ, крупные буквы: что работает, что нет, как сообщить',
    load: createModuleLoader(() => import('#docs/help/accessibility.md?raw')),
  },
] as const;
export type Topic = (typeof TOPICS)[number];

/** Null: no such page. */
export const topicOf = (key: string | null): Topic | null =>
  TOPICS.find((topic) => topic.key === key) ?? null;

export interface HelpSection {
  /** Null: the introduction. */
  heading: string | null;
  /** Markdown. */
  text: string;
}

/** A page split into sections; its title is shown by the page frame. */
export function sectionsOf(page: string): HelpSection[] {
  const [start = '', ...rest] = page.replace(/^# .*\n+/, '').split(/^## /m);
  const first = start.trim() === '' ? [] : [{ heading: null, text: start.trim() }];
  return [
    ...first,
    ...rest.map((part) => {
      const end = part.indexOf('\n');
      return { heading: part.slice(0, end).trim(), text: part.slice(end).trim() };
    }),
  ];
}
