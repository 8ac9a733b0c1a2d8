import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { RoleNumber } from '#domain/labels.ts';
import classes from './AppShell.module.css';
import { cx } from './cx.ts';
import type { IconType } from './icon-type.ts';
import { Logo } from './Logo.tsx';
import { RoleBadge } from './RoleBadge.tsx';
import { Sheet } from './Sheet.tsx';
import type { ShellLink } from './ShellLink.ts';

/** A part of the site in the header: «Тесты», «Проекты». */
export interface ShellSection {
  to: string;
  label: string;
  active: boolean;
}

/** A page of the part: in the sidebar from 1024 px, in the bottom bar below. */
export interface ShellEntry extends ShellSection {
  icon: IconType;
  /** For the bottom bar, where «База тестов» is «База». */
  shortLabel?: string | undefined;
}

export interface AppShellProps {
  /** The page's h1. */
  title: string;
  /** Beside the h1 on wide screens: a count, a main button. */
  titleAside?: ReactNode;
  sections: readonly ShellSection[];
  entries: readonly ShellEntry[];
  /** The bottom bar's entries when they differ from the sidebar's; at most five. */
  bottomEntries?: readonly ShellEntry[] | undefined;
  user: { name: string; role: RoleNumber } | null;
  onLogout: () => void;
  link: ShellLink;
  /** The header's indicator of where the answers are. */
  sync?: ReactNode;
  /** A banner above the page: «Идёт тест … Продолжить», a foreign server, no storage. */
  banner?: ReactNode;
  /** The way up, left of the title below 1024 px: «← О тесте». */
  back?: { to: string; label: string } | undefined;
  /** The page's main action: instead of the bottom bar below 1024 px, under the page above. */
  actions?: ReactNode;
  /** More of the menu below 1024 px, between the sections and «Выйти». */
  menuExtra?: ReactNode;
  /** Narrows the sidebar to icons with words (test management, statistics). */
  rail?: boolean;
  children: ReactNode;
}

const current = (active: boolean) => (active ? ('page' as const) : undefined);

function AccountSheet({
  opened,
  onClose,
  user,
  sections,
  link: Link,
  onLogout,
  menuExtra,
}: Pick<AppShellProps, 'user' | 'sections' | 'link' | 'onLogout' | 'menuExtra'> & {
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title={user?.name ?? 'Меню'}
      footer={
        user && (
          <Button
            variant="default"
            leftSection={<IconLogout size={20} stroke={1.75} aria-hidden />}
            onClick={() => {
              onClose();
              onLogout();
            }}
          >
            Выйти
          </Button>
        )
      }
    >
      {user && <RoleBadge role={user.role} />}
      <nav aria-label="Разделы">
        <ul className={classes.menuList}>
          {sections.map(({ to, label, active }) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- only closes the menu after its link was followed
            <li key={to} onClick={onClose}>
              <Link to={to} className={classes.menuLink} aria-current={current(active)}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {menuExtra}
    </Sheet>
  );
}

/** The frame of every page but sign-in and the taking page: header, sidebar or bottom bar. */
export function AppShell({
  title,
  titleAside,
  sections,
  entries,
  bottomEntries = entries,
  user,
  onLogout,
  link: Link,
  sync,
  banner,
  back,
  actions,
  menuExtra,
  rail = false,
  children,
}: AppShellProps) {
  const [menuOpened, setMenuOpened] = useState(false);
  return (
    <div className={cx(classes.shell, rail && classes.withRail)}>
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
            <IconArrowLeft size={20} stroke={1.75} aria-hidden />
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
          {user && (
            <div className={classes.person}>
              <span>{user.name}</span>
              <RoleBadge role={user.role} />
            </div>
          )}
          <ActionIcon
            className="to-desktop"
            aria-label={user ? `Меню: ${user.name}` : 'Меню'}
            aria-haspopup="dialog"
            onClick={() => setMenuOpened(true)}
          >
            <IconUserCircle size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        </div>
      </header>
      <aside className={classes.sidebar}>
        <nav aria-label="Страницы раздела" className={classes.pages}>
          {entries.map(({ to, label, icon: Icon, active }) => (
            <Link key={to} to={to} className={classes.entry} aria-current={current(active)}>
              <Icon size={20} stroke={1.75} aria-hidden />
              <span>{label}</span>
            </Link>
          ))}
        </nav>
        {user && (
          <button type="button" className={classes.entry} onClick={onLogout}>
            <IconLogout size={20} stroke={1.75} aria-hidden />
            <span>Выйти</span>
          </button>
        )}
      </aside>
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
          {bottomEntries.map(({ to, label, shortLabel, icon: Icon, active }) => (
            <Link key={to} to={to} className={classes.tab} aria-current={current(active)}>
              <Icon size={20} stroke={1.75} aria-hidden />
              <span>{shortLabel ?? label}</span>
            </Link>
          ))}
        </nav>
      )}
      <AccountSheet
        opened={menuOpened}
        onClose={() => setMenuOpened(false)}
        user={user}
        sections={sections}
        link={Link}
        onLogout={onLogout}
        menuExtra={menuExtra}
      />
    </div>
  );
}
