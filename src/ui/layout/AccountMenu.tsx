import { Box, Button, Flex, Paper, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { roleLabel, type RoleNumber } from '#domain/labels.ts';
import classes from './AccountMenu.module.css';
import { Icon } from '#app/ui/Icon.tsx';
import { RoleBadge } from '#app/ui/data/RoleBadge.tsx';
import { SchemeSwitch } from './SchemeSwitch.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import type { ShellLink } from './ShellLink.ts';
import { cx } from '#app/ui/cx.ts';

/** A link of the header or of a menu. */
export interface AccountLink {
  to: string;
  label: string;
  active: boolean;
  /** A page of the section above it. */
  isInner?: boolean;
}

export interface AccountProps {
  user: { name: string; role: RoleNumber } | null;
  /** «Профиль», «Справка». */
  accountLinks: readonly AccountLink[];
  link: ShellLink;
  onLogout: () => void;
  /** «Установить приложение». */
  menuExtra?: ReactNode;
}

interface LinksProps {
  label: string;
  links: readonly AccountLink[];
  link: ShellLink;
  onFollowed: () => void;
}

function Links({ label, links, link: Link, onFollowed }: LinksProps) {
  return (
    <nav aria-label={label}>
      <ul>
        {links.map(({ to, label: name, active, isInner }) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- only closes the menu after its link was followed
          <li key={to} onClick={onFollowed}>
            <UnstyledButton
              component={Link}
              to={to}
              timing="afterClosing"
              className={cx('line-below tap', classes.link)}
              display="flex"
              mih={{ base: 48, md: 40 }}
              ps={isInner ? '1.25rem' : 0}
              aria-current={active ? 'page' : undefined}
            >
              {name}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Logout({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" fullWidth leftSection={<Icon of={IconLogout} />} onClick={onClick}>
      Выйти
    </Button>
  );
}

/** The person in the header of wide screens, with the account menu under it. */
export function AccountMenu({ user, accountLinks, link, onLogout, menuExtra }: AccountProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);

  useEffect(() => {
    if (!isOpen) return;
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', onPress);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      document.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);

  return (
    <Flex
      ref={box}
      pos="relative"
      justify="flex-end"
      miw={0}
      className="from-desktop"
      onBlur={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !box.current?.contains(relatedTarget)) close();
      }}
    >
      <UnstyledButton
        ref={button}
        className={cx('tap', classes.person)}
        mih="var(--app-icon-button)"
        miw="min-content"
        px="xs"
        py={4}
        me="-0.5rem"
        bdrs="md"
        fz={15}
        aria-expanded={isOpen}
        aria-label={user ? `Меню: ${user.name} ${roleLabel(user.role)}` : 'Меню'}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={IconUserCircle} className={classes.icon} />
        {user && (
          <>
            <Text span inherit lineClamp={2} lh={1.2} ta="start" className={classes.name}>
              {user.name}
            </Text>{' '}
            <Box component="span" flex="none" className={classes.badge}>
              <RoleBadge role={user.role} />
            </Box>
          </>
        )}
        <Icon of={IconChevronDown} size={16} />
      </UnstyledButton>
      {isOpen && (
        <Paper
          pos="absolute"
          right="-0.5rem"
          top="calc(100% + 0.5rem)"
          w="19rem"
          mah="calc(100dvh - 5rem)"
          p="0.75rem 1rem 1rem"
          className="scroll-y"
          shadow="lg"
          bg="var(--app-raised)"
          role="group"
          aria-label="Учётная запись"
        >
          {user && (
            <Text pt={4} pb="xs" fw={600} className="break-anywhere">
              {user.name}
            </Text>
          )}
          <Links label="Учётная запись" links={accountLinks} link={link} onFollowed={close} />
          <SchemeSwitch />
          {menuExtra}
          {user && (
            <Box pt="md">
              <Logout
                onClick={() => {
                  close();
                  onLogout();
                }}
              />
            </Box>
          )}
        </Paper>
      )}
    </Flex>
  );
}

export interface AccountModalProps extends AccountProps {
  opened: boolean;
  onClose: () => void;
  /** The sections of the site, and pages that do not fit into the bottom bar. */
  pages: readonly AccountLink[];
  /** «Войти» for visitors. */
  signIn?: ReactNode;
}

/** The same on narrow screens, with the site's sections above it. */
export function AccountModal({
  opened,
  onClose,
  user,
  pages,
  accountLinks,
  link,
  onLogout,
  menuExtra,
  signIn,
}: AccountModalProps) {
  const logout = () => {
    onClose();
    onLogout();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={user?.name ?? 'Меню'}
      footer={user ? <Logout onClick={logout} /> : signIn}
    >
      {user && <RoleBadge role={user.role} />}
      <Links label="Разделы" links={pages} link={link} onFollowed={onClose} />
      <Links label="Учётная запись" links={accountLinks} link={link} onFollowed={onClose} />
      <SchemeSwitch />
      {menuExtra}
    </Modal>
  );
}
