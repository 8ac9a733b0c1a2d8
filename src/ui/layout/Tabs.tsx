import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import type { ShellLink } from './ShellLink.ts';
import classes from './Tabs.module.css';
import { useMedia } from '#app/ui/use-media.ts';

export interface TabLink {
  to: string;
  label: string;
  active: boolean;
}

export interface TabsProps {
  label: string;
  tabs: readonly TabLink[];
  link: ShellLink;
  /** There are so many that up to 540 px only the chosen one shows until they are opened. */
  folds?: boolean;
}

/** Pages of one thing side by side; one under the other up to 540 px. */
export function Tabs({ label, tabs, link: Link, folds = false }: TabsProps) {
  const isNarrow = useMedia('(max-width: 540px)');
  const links = tabs.map(({ to, label: words, active }) => (
    <UnstyledButton
      key={to}
      component={Link}
      to={to}
      className={classes.tab}
      aria-current={active ? 'page' : undefined}
    >
      {words}
    </UnstyledButton>
  ));
  if (!folds || !isNarrow) {
    return (
      <nav aria-label={label} className={classes.tabs}>
        {links}
      </nav>
    );
  }
  const chosen = tabs.find(({ active }) => active)?.label;
  return (
    <nav aria-label={label} className={classes.tabs}>
      {/* Another choice folds them again. */}
      <details key={chosen}>
        <summary className={classes.tab}>
          {chosen === undefined ? label : <VisuallyHidden>{label}: </VisuallyHidden>}
          {chosen}
          <Icon of={IconChevronDown} className={cx('chevron', classes.chevron)} />
        </summary>
        {links}
      </details>
    </nav>
  );
}
