import { ActionIcon, Box, Button, Flex, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconArrowLeft, IconLogin2, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
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
  /** The page's h1; empty while the page is loading. */
  title: string;
  /** Beside the h1 on wide screens: a count, a main button. */
  titleAside?: ReactNode;
  sections: readonly ShellSection[];
  /** Empty: the page has no sidebar. */
  entries: readonly ShellEntry[];
  /** The bottom bar's entries when they differ from the sidebar's; at most five. */
  bottomEntries?: readonly ShellEntry[] | undefined;
  /** Where visitors without a session sign in. */
  signInAt?: string | undefined;
  /** The header's indicator of where the answers are. */
  sync?: ReactNode;
  /** A banner above the page: «Идёт тест … Продолжить», a foreign server, no storage. */
  banner?: ReactNode;
  /** The link to the parent page, left of the title below 1024 px: «← О тесте». */
  back?: { to: string; label: string } | undefined;
  /** The page's main action: replaces the bottom bar below 1024 px, comes under the page above. */
  actions?: ReactNode;
  /** Narrows the sidebar to icons with labels (test management, statistics). */
  rail?: boolean;
  children: ReactNode;
}

/** With this many sections the user's name does not fit. */
const MANY_SECTIONS = 6;

const current = (active: boolean) => (active ? ('page' as const) : undefined);

/** The sections. The current one is followed by those of its pages that do not fit into the bottom bar. */
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

/** Whether a long title makes the header much higher than usual. */
function useTallHeader() {
  const ref = useRef<HTMLDivElement>(null);
  const [isTall, setTall] = useState(false);
  useEffect(() => {
    const header = ref.current;
    if (!header) return;
    const observer = new ResizeObserver(() =>
      setTall(header.offsetHeight > 1.1 * parseFloat(getComputedStyle(header).minHeight)),
    );
    observer.observe(header);
    return () => observer.disconnect();
  }, []);
  return [ref, isTall] as const;
}

/** Leads keyboards past the header. */
function SkipLink() {
  return (
    <Box
      component="a"
      href="#main"
      className={classes.skip}
      pos="absolute"
      left="1rem"
      px="md"
      py="sm"
      bdrs="md"
      bg="var(--app-primary)"
      c="var(--app-on-primary)"
    >
      К содержанию
    </Box>
  );
}

function SectionLinks({ sections, link: Link }: Pick<AppShellProps, 'sections' | 'link'>) {
  return (
    <Flex
      component="nav"
      wrap="wrap"
      miw={0}
      className="from-desktop"
      style={{ alignSelf: 'stretch' }}
      aria-label="Разделы"
    >
      {sections.map(({ to, label, active }) => (
        <UnstyledButton
          key={to}
          component={Link}
          to={to}
          className={classes.section}
          display="flex"
          aria-current={current(active)}
        >
          {label}
        </UnstyledButton>
      ))}
    </Flex>
  );
}

/** The brand and the sections on wide screens; the title, with a way back, on narrow ones. */
function ShellHeader({
  ref,
  title,
  back,
  sections,
  sync,
  signIn,
  account,
  onOpenMenu,
}: Pick<AppShellProps, 'title' | 'back' | 'sections' | 'sync'> & {
  ref: RefObject<HTMLDivElement | null>;
  signIn: ReactNode;
  account: AccountProps;
  onOpenMenu: () => void;
}) {
  const { user, link: Link } = account;
  return (
    <Flex
      component="header"
      ref={ref}
      align="center"
      gap={{ base: 'xs', md: 0 }}
      mih="var(--app-header)"
      px="var(--app-side)"
      bg="var(--app-surface)"
      className={classes.header}
    >
      <Group
        className={cx('nowrap from-desktop', classes.brand)}
        fw={600}
        gap="0.625rem"
        wrap="nowrap"
      >
        <Logo />
        <span>Учебная платформа</span>
      </Group>
      {back && (
        <ActionIcon
          component={Link}
          to={back.to}
          className="to-desktop"
          ms="-0.75rem"
          aria-label={back.label}
        >
          <Icon of={IconArrowLeft} />
        </ActionIcon>
      )}
      {title !== '' && (
        <Text component="h1" lh={1.2} className={cx(classes.headerTitle, 'to-desktop')}>
          {title}
        </Text>
      )}
      <SectionLinks sections={sections} link={Link} />
      <Flex align="center" gap={{ base: 'xs', md: 'md' }} className={classes.right}>
        {sync}
        {signIn}
        <AccountMenu {...account} />
        <ActionIcon
          className="to-desktop"
          aria-label={user ? `Меню: ${user.name}` : 'Меню'}
          aria-haspopup="dialog"
          onClick={onOpenMenu}
        >
          <Icon of={IconUserCircle} />
        </ActionIcon>
      </Flex>
    </Flex>
  );
}

/** The pages of the section from 1024 px. */
function Sidebar({
  entries,
  user,
  onLogout,
  link: Link,
}: Pick<AppShellProps, 'entries' | 'user' | 'onLogout' | 'link'>) {
  return (
    <Stack
      component="aside"
      className={cx(classes.sidebar, 'from-desktop')}
      gap={0}
      justify="space-between"
    >
      <Stack component="nav" aria-label="Страницы раздела" gap={2}>
        {entries.map(({ to, label, icon, active }) => (
          <UnstyledButton
            key={to}
            component={Link}
            to={to}
            className={classes.entry}
            display="flex"
            bdrs="md"
            aria-current={current(active)}
          >
            <Icon of={icon} />
            <span>{label}</span>
          </UnstyledButton>
        ))}
      </Stack>
      {user && (
        <UnstyledButton
          className={classes.entry}
          display="flex"
          bdrs="md"
          fw={500}
          onClick={onLogout}
        >
          <Icon of={IconLogout} />
          <span>Выйти</span>
        </UnstyledButton>
      )}
    </Stack>
  );
}

/** The main pages below 1024 px. */
function BottomLinks({ entries, link: Link }: Pick<AppShellProps, 'entries' | 'link'>) {
  return (
    <Flex
      component="nav"
      className={cx(classes.bottom, 'to-desktop')}
      h="calc(var(--app-bottom-bar) + var(--app-safe-bottom))"
      pb="var(--app-safe-bottom)"
      aria-label="Главные страницы"
    >
      {entries.map(({ to, label, shortLabel, icon, active }) => (
        <UnstyledButton
          key={to}
          component={Link}
          to={to}
          timing="afterScroll"
          className={cx('focus-inside', classes.tab)}
          display="flex"
          flex={1}
          miw={0}
          mt={-1}
          lh={1.2}
          aria-current={current(active)}
        >
          <Icon of={icon} />
          <span>{shortLabel ?? label}</span>
        </UnstyledButton>
      ))}
    </Flex>
  );
}

/** The frame of every page except sign-in and the taking page: header, sidebar or bottom bar. */
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
  const { link: Link } = account;
  const [menuOpened, setMenuOpened] = useState(false);
  const [header, isTall] = useTallHeader();
  const hasSidebar = entries.length > 0;
  const signIn = signInAt !== undefined && (
    <Button component={Link} to={signInAt} size="sm" leftSection={<Icon of={IconLogin2} />}>
      Войти
    </Button>
  );
  return (
    <div
      className={cx(classes.shell, rail && classes.withRail, !hasSidebar && classes.alone)}
      data-shell=""
      data-many={sections.length >= MANY_SECTIONS || undefined}
      data-tall-header={isTall || undefined}
    >
      <SkipLink />
      <ShellHeader
        ref={header}
        title={title}
        back={back}
        sections={sections}
        sync={sync}
        signIn={signIn}
        account={account}
        onOpenMenu={() => setMenuOpened(true)}
      />
      {hasSidebar && <Sidebar {...account} entries={entries} />}
      <div className={cx(classes.page, Boolean(actions) && classes.withActions)}>
        {banner && (
          <Stack
            component="section"
            aria-label="Уведомления"
            className="unless-empty"
            gap="xs"
            mb="md"
          >
            {banner}
          </Stack>
        )}
        <main id="main" tabIndex={-1}>
          <Group
            className="from-desktop"
            justify="space-between"
            wrap="nowrap"
            mih="2.5rem"
            mb="md"
          >
            {title !== '' && (
              <Box component="h1" miw={0}>
                {title}
              </Box>
            )}
            {titleAside}
          </Group>
          {children}
          {actions && (
            <Group className={classes.actions} gap="xs" wrap="nowrap">
              {actions}
            </Group>
          )}
        </main>
      </div>
      {!actions && <BottomLinks entries={bottomEntries} link={Link} />}
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
