import { ActionIcon, Box, Group } from '@mantine/core';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PROJECT_ORDER_CHOICES } from '#domain/labels-projects.ts';
import { ListControls } from '#app/lib/list/ListPage.tsx';
import type { List, ListData } from '#app/lib/list/use-list.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { useLayout, type Layout } from './layout.ts';
import classes from '#app/ui/data/FilterBar.module.css';
import type { ProjectSearch } from './project-search.ts';

const LAYOUTS: readonly { layout: Layout; label: string; icon: typeof IconList }[] = [
  { layout: 'grid', label: 'Сеткой', icon: IconLayoutGrid },
  { layout: 'rows', label: 'Строками', icon: IconList },
];

function LayoutToggle() {
  const [current, choose] = useLayout();
  return (
    <Group
      role="group"
      aria-label="Вид списка"
      flex="none"
      wrap="nowrap"
      gap={2}
      p={1}
      bd="1px solid var(--app-line)"
      bdrs="md"
      bg="var(--app-surface)"
    >
      {LAYOUTS.map(({ layout, label, icon }) => (
        <ActionIcon
          key={layout}
          radius="sm"
          bd={current === layout ? '1px solid var(--app-control)' : undefined}
          c={current === layout ? 'var(--app-text)' : 'dimmed'}
          aria-label={label}
          title={label}
          aria-pressed={current === layout}
          onClick={() => choose(layout)}
        >
          <Icon of={icon} />
        </ActionIcon>
      ))}
    </Group>
  );
}

export interface ProjectControlsProps {
  list: List<ListData>;
  sort: ProjectSearch['sort'];
  /** In the row of the title from 1024 px, below in a separate bar (specification, section 9). */
  place: 'title' | 'bar';
  /** «Добавить проект», if present. */
  children?: ReactNode;
}

/** Search, order and layout of a list of projects. */
export function ProjectControls({ list, sort, place, children }: ProjectControlsProps) {
  const isDesktop = useMedia('(min-width: 1024px)');
  const isPhone = !useMedia('(min-width: 640px)');
  if (isDesktop !== (place === 'title')) return null;
  return (
    <ListControls list={list}>
      <Group
        className={classes.bar}
        data-place={place}
        gap="xs"
        align="stretch"
        justify="flex-end"
        flex={isDesktop ? 1 : undefined}
        miw={0}
        mb={isDesktop ? 0 : 'md'}
      >
        <Box flex={{ base: '1 1 100%', sm: '1 1 12rem', md: '0 1 15rem' }} miw={0}>
          <SearchField
            label="Поиск по названию, описанию или автору"
            placeholder="Найти проект"
            value={list.searchQuery}
            onSearch={(searchQuery) => list.change({ searchQuery }, { replace: true })}
          />
        </Box>
        <Box flex={{ base: '1 1 8.5rem', sm: '0 0 auto' }} miw={{ sm: '11.5rem' }} maw="100%">
          <SelectField
            label="Порядок"
            labelHidden
            native={isPhone}
            choices={PROJECT_ORDER_CHOICES}
            value={sort ?? 'new'}
            onChange={(next) => list.change({ sort: next }, { replace: true })}
          />
        </Box>
        {!isPhone && <LayoutToggle />}
        {children}
      </Group>
    </ListControls>
  );
}
