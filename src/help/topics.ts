/** Pages of docs/help, by the last part of their address; each loads when it is opened. */
export const TOPICS = [
  {
    key: 'student',
    title: 'Ученику',
    about: 'До теста, во время и после; что делать, когда пропала сеть',
    load: () => import('#docs/help/student.md?raw'),
  },
  {
    key: 'teacher',
    title: 'Преподавателю',
    about: 'Первый тест за десять минут, урок с плохим Wi-Fi, поздние ответы',
    load: () => import('#docs/help/teacher.md?raw'),
  },
  {
    key: 'operator',
    title: 'Тому, кто ставит сервер',
    about: 'Установка на одну машину, сертификаты для телефонов, резервные копии, обновление',
    load: () => import('#docs/help/operator.md?raw'),
  },
] as const;
export type Topic = (typeof TOPICS)[number];

/** Null: no such page. */
export const topicOf = (key: string | null): Topic | null =>
  TOPICS.find((topic) => topic.key === key) ?? null;

export interface Section {
  /** Null: what stands before the first heading. */
  heading: string | null;
  /** Markdown. */
  text: string;
}

/** A page in its parts; its own heading is shown by the frame of the page. */
export function sectionsOf(page: string): Section[] {
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
