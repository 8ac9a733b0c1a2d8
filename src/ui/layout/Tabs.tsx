import { Flex, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
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
  /** There are many tabs, so up to 540 px a person may fold them. This device remembers it. */
  folds?: boolean;
}

const FOLDED_KEY = 'tabs-folded';

function readFolded(): boolean {
  try {
    return window.localStorage.getItem(FOLDED_KEY) === '1';
  } catch {
    // Local storage is forbidden.
    return false;
  }
}

function rememberFolded(isFolded: boolean): void {
  try {
    if (isFolded) window.localStorage.setItem(FOLDED_KEY, '1');
    else window.localStorage.removeItem(FOLDED_KEY);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** Up to and including 540 px; Mantine's breakpoints begin at their width. */
const COLUMN = { direction: 'column', mb: 16 } as const;
const ROW = { wrap: 'wrap', gap: '0 clamp(14px, 2.5vw, 28px)', mb: 16 } as const;

/** The pages of one thing side by side; in a column up to 540 px. */
export function Tabs({ label, tabs, link: Link, folds = false }: TabsProps) {
  const isNarrow = useMedia('(max-width: 540px)');
  const [isFolded, setFolded] = useState(readFolded);
  const links = tabs.map(({ to, label: words, active }) => (
    <UnstyledButton
      key={to}
      component={Link}
      to={to}
      className={classes.tab}
      display="flex"
      aria-current={active ? 'page' : undefined}
    >
      {words}
    </UnstyledButton>
  ));
  if (!folds || !isNarrow) {
    return (
      <Flex
        component="nav"
        aria-label={label}
        className="line-below"
        {...(isNarrow ? COLUMN : ROW)}
      >
        {links}
      </Flex>
    );
  }
  const chosen = tabs.find(({ active }) => active)?.label;
  const fold = (folded: boolean) => {
    setFolded(folded);
    rememberFolded(folded);
  };
  return (
    <Flex component="nav" aria-label={label} className="line-below" {...COLUMN}>
      <details open={!isFolded} onToggle={(event) => fold(!event.currentTarget.open)}>
        <summary className={classes.tab}>
          {isFolded && chosen !== undefined ? (
            <>
              <VisuallyHidden>{label}: </VisuallyHidden>
              {chosen}
            </>
          ) : (
            label
          )}
          <Icon of={IconChevronDown} className={cx('chevron', classes.chevron)} />
        </summary>
        {links}
      </details>
    </Flex>
  );
}
