import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import classes from './Pager.module.css';
import { lastPage, offeredPages, formatRange, type PageOf } from './pages.ts';

export interface PagerProps extends PageOf {
  onPage: (page: number) => void;
}

const WIDE = { base: 'none', sm: 'inline' };

const PAGE = { w: 'auto', px: 4, fz: 15 } as const;

const CURRENT = {
  bd: '1px solid var(--app-primary)',
  bg: 'var(--app-primary-soft)',
  c: 'var(--app-primary-soft-text)',
  fw: 600,
} as const;

const OFF = {
  bd: '1px solid var(--app-line)',
  bg: 'var(--app-surface)',
  c: 'dimmed',
  style: { cursor: 'default' },
} as const;

/** The pages of a list. The buttons do not move while a page loads, and a pressed one stays focused. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const last = lastPage({ total, pageSize });
  if (last === 1) return null;
  const go = (to: number) => {
    if (to >= 1 && to <= last && to !== page) onPage(to);
  };
  const step = (to: number, label: string, icon: IconType) => (
    // Not `disabled`: the button would lose the focus at the last page.
    <ActionIcon
      variant="default"
      {...PAGE}
      {...((to < 1 || to > last) && OFF)}
      aria-label={label}
      aria-disabled={to < 1 || to > last}
      onClick={() => go(to)}
    >
      <Icon of={icon} />
    </ActionIcon>
  );
  return (
    <Group
      component="nav"
      justify="space-between"
      gap="0.5rem 1rem"
      wrap="nowrap"
      mt="sm"
      aria-label="Страницы списка"
    >
      <Text span size="sm" c="dimmed" className="tabular">
        {formatRange({ page, pageSize, total })}
      </Text>
      <Group className={classes.pages} wrap="nowrap">
        {step(page - 1, 'Предыдущая страница', IconChevronLeft)}
        {offeredPages(page, last).map((one) =>
          one < 0 ? (
            <Text span key={one} display={WIDE} miw="1.5rem" ta="center" c="dimmed" aria-hidden>
              …
            </Text>
          ) : (
            <ActionIcon
              key={one}
              variant="default"
              {...PAGE}
              {...(one === page && CURRENT)}
              className="tabular"
              display={{ base: 'none', sm: 'inline-flex' }}
              aria-label={`Страница ${one}`}
              aria-current={one === page ? 'page' : undefined}
              onClick={() => go(one)}
            >
              {one}
            </ActionIcon>
          ),
        )}
        {step(page + 1, 'Следующая страница', IconChevronRight)}
      </Group>
    </Group>
  );
}
