import { IconDotsVertical } from '@tabler/icons-react';
import { MenuButton, type MenuButtonProps } from './MenuButton.tsx';

export interface RowMenuProps {
  /** «Действия с тестом «Векторы»». */
  label: string;
  actions: MenuButtonProps['entries'];
}

/** The actions of one row of a list, behind three dots. */
export function RowMenu({ label, actions }: RowMenuProps) {
  return <MenuButton label={label} entries={actions} icon={IconDotsVertical} iconSize={20} />;
}
