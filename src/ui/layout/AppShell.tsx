import { ActionIcon } from '@mantine/core';
import { IconArrowLeft, IconLogin2, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { AccountMenu, AccountModal, type AccountLink, type AccountProps } from './AccountMenu.tsx';
import classes from './AppShell.module.css';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { Logo } from './Logo.tsx';

/** A part of the site in the header: «Тесты», «Проекты». */
export type ShellSection = AccountLink;

/** A page of the part: in the sidebar from 1024 px, in the bottom bar below. */
export interface ShellEntry extends ShellSection {
  icon: IconType;
  /** For the bottom bar, where «База тестов» is «База». */
  shortLabel?: string | undefined;
}

export interface AppShellProps extends AccountProps {
  /** The page's h1. */
  title: string;
  /** Beside the h1 on wide screens: a count, a main button. */
  titleAside?: ReactNode;
  sections: readonly ShellSection[];
  /** None: the page has no sidebar. */
  entries: readonly ShellEntry[];
  /** The bottom bar's entries when they differ from the sidebar's; at most five. */
  bottomEntries?: readonly ShellEntry[] | undefined;
  /** Where visitors without a session sign in. */
  signInAt?: string | undefined;
  /** The header's indicator of where the answers are. */
  sync?: ReactNode;
  /** A banner above the page: «Идёт тест … Продолжить», a foreign server, no storage. */
  banner?: ReactNode;
  /** The way up, left of the title below 1024 px: «← О тесте». */
  back?: { to: string; label: string } | undefined;
  /** The page's main action: instead of the bottom bar below 1024 px, under the page above. */
  actions?: ReactNode;
  /** Narrows the sidebar to icons with labels (test management, statistics). */
  rail?: boolean;
  children: ReactNode;
}

/** With this many sections the user's name does not fit. */
const MANY_SECTIONS = 6;

const current = (active: boolean) => (active ? ('page' as const) : undefined);

/** The sections; the current one is followed by its pages that do not fit into the bottom bar. */
function menuPages(
  sections: readonly ShellSection[],
  entries: readonly ShellEntry[],
  bottomEntries: readonly ShellEntry[],
): ShellSection[] {
  const more = entries
    .filter(({ to }) => !bottomEntries.some((shown) => shown.to === to))
    .map((entry) => ({ ...entry, isInner: true }));
  return sections.flatMap((section) => [section, ...(section.active ? more : [])]);
}

/** The frame of every page but sign-in and the taking page: header, sidebar or bottom bar. */
export function AppShell({
  title,
  titleAside,
  sections,
  entries,
  bottomEntries = entries,
  signInAt,
  sync,
  banner,
  back,
  actions,
  rail = false,
  children,
  ...account
}: AppShellProps) {
  const { user, onLogout, link: Link } = account;
  const [menuOpened, setMenuOpened] = useState(false);
  const hasSidebar = entries.length > 0;
  const signIn = signInAt !== undefined && (
    <Link to={signInAt} className={classes.signIn}>
      <Icon of={IconLogin2} />
      Войти
    </Link>
  );
  return (
    <div
      className={cx(classes.shell, rail && classes.withRail, !hasSidebar && classes.alone)}
      data-shell=""
      data-many={sections.length >= MANY_SECTIONS || undefined}
    >
      <a href="#main" className={classes.skip}>
        К содержанию
      </a>
      <header className={classes.header}>
        <div className={classes.brand}>
          <Logo />
          <span>Учебная платформа</span>
        </div>
        {back && (
          <Link to={back.to} className={classes.back} aria-label={back.label}>
            <Icon of={IconArrowLeft} />
          </Link>
        )}
        <h1 className={cx(classes.headerTitle, 'to-desktop')}>{title}</h1>
        <nav className={classes.sections} aria-label="Разделы">
          {sections.map(({ to, label, active }) => (
            <Link key={to} to={to} className={classes.section} aria-current={current(active)}>
              {label}
            </Link>
          ))}
        </nav>
        <div className={classes.right}>
          {sync}
          {signIn}
          <AccountMenu {...account} />
          <ActionIcon
            className="to-desktop"
            aria-label={user ? `Меню: ${user.name}` : 'Меню'}
            aria-haspopup="dialog"
            onClick={() => setMenuOpened(true)}
          >
            <Icon of={IconUserCircle} />
          </ActionIcon>
        </div>
      </header>
      {hasSidebar && (
        <aside className={classes.sidebar}>
          <nav aria-label="Страницы раздела" className={classes.pages}>
            {entries.map(({ to, label, icon, active }) => (
              <Link key={to} to={to} className={classes.entry} aria-current={current(active)}>
                <Icon of={icon} />
                <span>{label}</span>
              </Link>
            ))}
          </nav>
          {user && (
            <button type="button" className={classes.entry} onClick={onLogout}>
              <Icon of={IconLogout} />
              <span>Выйти</span>
            </button>
          )}
        </aside>
      )}
      <main
        id="main"
        className={cx(classes.main, Boolean(actions) && classes.withActions)}
        tabIndex={-1}
      >
        {banner && <div className={classes.banner}>{banner}</div>}
        <div className={cx(classes.title, 'from-desktop')}>
          <h1>{title}</h1>
          {titleAside}
        </div>
        {children}
        {actions && <div className={classes.actions}>{actions}</div>}
      </main>
      {!actions && (
        <nav className={classes.bottom} aria-label="Главные страницы">
          {bottomEntries.map(({ to, label, shortLabel, icon, active }) => (
            <Link
              key={to}
              to={to}
              way="afterScroll"
              className={classes.tab}
              aria-current={current(active)}
            >
              <Icon of={icon} />
              <span>{shortLabel ?? label}</span>
            </Link>
          ))}
        </nav>
      )}
      <AccountModal
        {...account}
        opened={menuOpened}
        onClose={() => setMenuOpened(false)}
        pages={menuPages(sections, entries, bottomEntries)}
        signIn={signIn}
      />
    </div>
  );
}
