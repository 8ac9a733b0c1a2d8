import { ActionIcon, Box, Button, Text, UnstyledButton } from '@mantine/core';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { cx } from '#app/ui/cx.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import classes from './MenuButton.module.css';

export interface MenuEntry {
  icon: IconType;
  label: string;
  /** The keys that do the same: «Alt + ↑». */
  keys?: string;
  /** Why it cannot be done. The entry stays and shows the reason. Null: it can be done. */
  reason?: string | null;
  onClick: () => void;
}

export interface MenuButtonProps {
  /** The accessible name of the menu, and of the button if it is an icon. */
  label: string;
  entries: readonly (MenuEntry | 'line')[];
  /** The button's text; absent: it is an icon. */
  children?: ReactNode;
  icon?: IconType;
  /** Size of the icon, px. */
  iconSize?: number;
  /** The screen's one main action, a frame, or no frame. */
  variant?: 'filled' | 'default' | 'subtle';
  className?: string | undefined;
  tabIndex?: number;
  /** Along which edge of its button the menu opens. */
  align?: 'start' | 'end';
}

/** Height that the menu needs: px an entry and px a line. */
const ENTRY_PX = 48;
const LINE_PX = 9;
/** Additional height for a reason of three lines. */
const REASON_PX = 60;

const SURFACE = {
  pos: 'fixed',
  miw: '13rem',
  maw: 'calc(100vw - 2rem)',
  m: '0.25rem 0',
  p: '0.25rem',
  bd: '1px solid var(--app-line)',
  bdrs: 'md',
  bg: 'var(--app-raised)',
  c: 'var(--app-text)',
  style: { inset: 'auto', boxShadow: 'var(--mantine-shadow-lg)' },
} as const;

/** Places the menu below its button, or above it if it fits only there. */
function placeMenu(
  list: HTMLElement,
  box: DOMRect,
  { entries, align }: Required<Pick<MenuButtonProps, 'entries' | 'align'>>,
): void {
  const lines = entries.filter((entry) => entry === 'line').length;
  const reasons = entries.filter((entry) => entry !== 'line' && entry.reason != null).length;
  const needs = (entries.length - lines) * ENTRY_PX + lines * LINE_PX + reasons * REASON_PX;
  const isAbove = box.bottom + needs > window.innerHeight && box.top > needs;
  const width = document.documentElement.clientWidth;
  list.style.left = align === 'start' ? `${box.left}px` : 'auto';
  list.style.right = align === 'end' ? `${width - box.right}px` : 'auto';
  list.style.top = isAbove ? 'auto' : `${box.bottom}px`;
  list.style.bottom = isAbove ? `${window.innerHeight - box.top}px` : 'auto';
}

/** The index that an arrow key, Home or End moves to; undefined: another key. */
function indexAfterKey(key: string, at: number, count: number): number | undefined {
  const to: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  return to[key];
}

function MenuItem({ entry, onClose }: { entry: MenuEntry; onClose: () => void }) {
  return (
    <UnstyledButton
      role="menuitem"
      tabIndex={-1}
      className={cx('tap focus-inside', classes.item)}
      display="flex"
      w="100%"
      px="sm"
      py={1}
      bdrs="sm"
      fz={15}
      fw={400}
      ta="start"
      aria-disabled={entry.reason != null || undefined}
      onClick={() => {
        if (entry.reason != null) return;
        onClose();
        entry.onClick();
      }}
    >
      <entry.icon size={20} stroke={1.75} aria-hidden />
      <span>
        {entry.label}
        {entry.reason != null && (
          <Text span display="block" size="sm" lh={1.35} maw="17rem" pb={4}>
            {entry.reason}
          </Text>
        )}
      </span>
      {entry.keys !== undefined && <kbd className={classes.keys}>{entry.keys}</kbd>}
    </UnstyledButton>
  );
}

/**
 * A button with a menu. Arrow keys move, Escape closes. Entries exist only while the menu is open, so that hundreds of
 * menus cost nothing.
 */
export function MenuButton({
  label,
  entries,
  children,
  icon,
  iconSize = 18,
  variant = 'subtle',
  className,
  tabIndex,
  align = 'end',
}: MenuButtonProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const open = () => {
    const box = button.current?.getBoundingClientRect();
    const list = menu.current;
    if (!box || !list) return;
    flushSync(() => setOpen(true));
    placeMenu(list, box, { entries, align });
    list.showPopover();
    items()[0]?.focus();
  };
  const close = () => {
    menu.current?.hidePopover();
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const next = indexAfterKey(event.key, at, all.length);
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (next !== undefined) all[next]?.focus();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  };

  const labelAt = (index: number) => {
    const entry = entries[index];
    return typeof entry === 'object' ? entry.label : '';
  };
  const shared = {
    variant,
    className: className ?? '',
    ...(tabIndex === undefined ? {} : { tabIndex }),
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isOpen,
    'aria-controls': id,
    onClick: () => (isOpen ? close() : open()),
  };
  return (
    <>
      {children === undefined ? (
        <ActionIcon {...shared} ref={button} color="gray" aria-label={label}>
          {icon && <Icon of={icon} size={iconSize} />}
        </ActionIcon>
      ) : (
        <Button {...shared} ref={button} leftSection={icon && <Icon of={icon} />}>
          {children}
        </Button>
      )}
      <Box
        ref={menu}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        {...SURFACE}
        onToggle={(event) => {
          if (event.newState === 'closed') setOpen(false);
        }}
        onKeyDown={onKeyDown}
      >
        {isOpen &&
          entries.map((entry, index) =>
            entry === 'line' ? (
              <Box
                key={`before ${labelAt(index + 1)}`}
                role="separator"
                mx="sm"
                my={4}
                className="line-above"
              />
            ) : (
              <MenuItem key={entry.label} entry={entry} onClose={close} />
            ),
          )}
      </Box>
    </>
  );
}
