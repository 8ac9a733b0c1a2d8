import { ActionIcon } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { IconType } from './icon-type.ts';
import classes from './RowMenu.module.css';

export interface RowAction {
  icon: IconType;
  label: string;
  onClick: () => void;
}

export interface RowMenuProps {
  /** «Действия с тестом «Векторы»». */
  label: string;
  actions: readonly RowAction[];
}

/** Room that the menu needs below its button, px an action. */
const ACTION_PX = 48;

/** What can be done with one row of a list, behind three dots. Arrows move, Escape closes. */
export function RowMenu({ label, actions }: RowMenuProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const open = () => {
    const box = button.current?.getBoundingClientRect();
    const list = menu.current;
    if (!box || !list) return;
    const needs = actions.length * ACTION_PX;
    const isAbove = box.bottom + needs > window.innerHeight && box.top > needs;
    list.style.right = `${document.documentElement.clientWidth - box.right}px`;
    list.style.top = isAbove ? 'auto' : `${box.bottom}px`;
    list.style.bottom = isAbove ? `${window.innerHeight - box.top}px` : 'auto';
    list.showPopover();
    items()[0]?.focus();
  };
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const to: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const next = to[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (next !== undefined) all[next]?.focus();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  };

  return (
    <>
      <ActionIcon
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => (isOpen ? close() : open())}
      >
        <IconDotsVertical size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <div
        ref={menu}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        className={classes.menu}
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {actions.map(({ icon: Icon, label: words, onClick }) => (
          <button
            key={words}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={classes.item}
            onClick={() => {
              close();
              onClick();
            }}
          >
            <Icon size={20} stroke={1.75} aria-hidden />
            {words}
          </button>
        ))}
      </div>
    </>
  );
}
