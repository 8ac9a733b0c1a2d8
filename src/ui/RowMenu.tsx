import { ActionIcon, Menu } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { IconDotsVertical } from '@tabler/icons-react';
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

/** What can be done with one row of a list, behind three dots. */
export function RowMenu({ label, actions }: RowMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal returnFocus>
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <IconDotsVertical size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ icon: Icon, label: words, onClick }) => (
          <Menu.Item
            key={words}
            className={classes.item}
            leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
            onClick={onClick}
          >
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
