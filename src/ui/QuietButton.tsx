import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconType } from './Icon.tsx';
import classes from './QuietButton.module.css';

export interface QuietButtonProps {
  icon?: IconType | undefined;
  children: ReactNode;
  onClick: () => void;
  /** For a button that stays pressed. */
  pressed?: boolean | undefined;
  tone?: 'text' | 'ink' | 'warn' | undefined;
}

/** Icon and word without a frame, with a whole touch target: «Отметить», «Сбросить пары», «Подробнее». */
export function QuietButton({ icon, children, onClick, pressed, tone = 'text' }: QuietButtonProps) {
  return (
    <button
      type="button"
      className={cx('tap', classes.button)}
      data-tone={tone}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {icon && <Icon of={icon} />}
      {children}
    </button>
  );
}
