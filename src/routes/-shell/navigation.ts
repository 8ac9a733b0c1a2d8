import {
  IconBook2,
  IconBooks,
  IconCalendarEvent,
  IconClipboardList,
  IconFlask,
  IconFolder,
  IconHistory,
  IconLayoutGrid,
  IconNews,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { isTeacherLevel } from '#domain/roles.ts';
import type { RoleNumber } from '#contract/auth.ts';
import type { ShellEntry, ShellSection } from '#app/ui/layout/AppShell.tsx';

export interface ShellNavigation {
  sections: ShellSection[];
  /** Sidebar entries; empty: no sidebar. */
  entries: ShellEntry[];
  /** Bottom bar entries, at most five. */
  bottomEntries: ShellEntry[];
}

const within = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

/** Public entries, with and without a session. */
const PUBLIC = [
  {
    to: '/education-materials',
    label: 'Учебные материалы',
    shortLabel: 'Материалы',
    icon: IconBook2,
  },
  { to: '/events', label: 'События', icon: IconCalendarEvent },
  { to: '/labs', label: 'Лаборатории', icon: IconFlask },
];

const ADMIN = [
  { to: '/admin/users', label: 'Пользователи', shortLabel: 'Люди', icon: IconUsers },
  { to: '/admin/projects', label: 'Витрина проектов', shortLabel: 'Витрина', icon: IconLayoutGrid },
  { to: '/admin/tests', label: 'Тесты', icon: IconClipboardList },
  { to: '/admin/news', label: 'Новости', icon: IconNews },
  { to: '/admin/education-materials', label: 'Учебные материалы', icon: IconBook2 },
  { to: '/admin/audit', label: 'Журнал', icon: IconHistory },
];

const isOfTests = (path: string) =>
  ['/tests', '/bank', '/groups', '/join'].some((root) => within(path, root));

function testEntries(path: string, role: RoleNumber): ShellEntry[] {
  const isMine = ['/tests/my', '/tests/manage', '/bank'].some((root) => within(path, root));
  return [
    {
      to: '/tests',
      label: 'База тестов',
      shortLabel: 'База',
      icon: IconBooks,
      active: path === '/tests',
    },
    { to: '/tests/my', label: 'Мои тесты', icon: IconClipboardList, active: isMine },
    ...(isTeacherLevel(role)
      ? [
          {
            to: '/groups',
            label: 'Классы',
            icon: IconUsersGroup,
            active: within(path, '/groups'),
          },
        ]
      : []),
  ];
}

const projectEntries = (path: string): ShellEntry[] => [
  {
    to: '/projects',
    label: 'Все проекты',
    icon: IconLayoutGrid,
    active: within(path, '/projects') && path !== '/projects/my',
  },
  { to: '/projects/my', label: 'Мои проекты', icon: IconFolder, active: path === '/projects/my' },
];

const adminEntries = (path: string): ShellEntry[] =>
  ADMIN.map((entry) => ({
    ...entry,
    active: within(path, entry.to) || (path === '/admin' && entry.to === '/admin/users'),
  }));

/** Sections of the header and pages of the current section, by path and viewer. */
export function navigationOf(
  path: string,
  user: { role: RoleNumber; isAdmin: boolean } | null,
): ShellNavigation {
  const open = PUBLIC.map((entry) => ({ ...entry, active: within(path, entry.to) }));
  const isOpenPage = open.some(({ active }) => active);
  if (user === null) return { sections: open, entries: [], bottomEntries: open };

  const tests = testEntries(path, user.role);
  const projects = projectEntries(path);
  const isAdministration = user.isAdmin && within(path, '/admin');
  const isProjects = within(path, '/projects');
  const sections = [
    { to: '/tests/my', label: 'Тесты', active: isOfTests(path) },
    { to: '/projects', label: 'Проекты', active: isProjects },
    // The administration has its own page of this name.
    ...open.filter(({ label }) => !isAdministration || ADMIN.every((own) => own.label !== label)),
    ...(user.isAdmin
      ? [{ to: '/admin/users', label: 'Управление', active: isAdministration }]
      : []),
  ];
  if (isAdministration) {
    const entries = adminEntries(path);
    const bottomEntries = entries.filter(({ to }) => to !== '/admin/education-materials');
    return { sections, entries, bottomEntries };
  }
  if (isProjects) {
    const others = { to: '/tests/my', label: 'Тесты', icon: IconClipboardList, active: false };
    return { sections, entries: projects, bottomEntries: [...projects, others] };
  }
  const others = { to: '/projects', label: 'Проекты', icon: IconLayoutGrid, active: false };
  return { sections, entries: isOpenPage ? [] : tests, bottomEntries: [...tests, others] };
}
