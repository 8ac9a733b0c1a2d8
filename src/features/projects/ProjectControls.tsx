import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PROJECT_ORDER_CHOICES } from '#domain/labels-projects.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { changed } from './change-search.ts';
import { useLayout, type Layout } from './layout.ts';
import classes from './ProjectControls.module.css';
import type { ProjectListProps } from './project-search.ts';

const LAYOUTS: readonly { layout: Layout; label: string; icon: typeof IconList }[] = [
  { layout: 'grid', label: 'Сеткой', icon: IconLayoutGrid },
  { layout: 'rows', label: 'Строками', icon: IconList },
];

function LayoutToggle() {
  const [current, choose] = useLayout();
  return (
    <div role="group" aria-label="Вид списка" className={classes.toggle}>
      {LAYOUTS.map(({ layout, label, icon }) => (
        <button
          key={layout}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={current === layout}
          onClick={() => choose(layout)}
        >
          <Icon of={icon} />
        </button>
      ))}
    </div>
  );
}

export interface ProjectControlsProps extends ProjectListProps {
  /** In the row of the title from 1024 px, below in a bar of its own (specification, section 9). */
  place: 'title' | 'bar';
  /** «Добавить проект», where there is one. */
  children?: ReactNode;
}

/** Search, order and layout of a list of projects. */
export function ProjectControls({ search, onSearch, place, children }: ProjectControlsProps) {
  const isDesktop = useMedia('(min-width: 1024px)');
  const isPhone = !useMedia('(min-width: 640px)');
  if (isDesktop !== (place === 'title')) return null;
  return (
    <div className={classes.controls} data-place={place}>
      <div className={classes.search}>
        <SearchField
          label="Поиск по названию, описанию или автору"
          placeholder="Найти проект"
          value={search.searchQuery ?? ''}
          onSearch={(searchQuery) => onSearch(changed(search, { searchQuery }), { replace: true })}
        />
      </div>
      <SelectField
        label="Порядок"
        labelHidden
        native={isPhone}
        className={classes.order}
        choices={PROJECT_ORDER_CHOICES}
        value={search.sort ?? 'new'}
        onChange={(sort) => onSearch(changed(search, { sort }), { replace: true })}
      />
      {!isPhone && <LayoutToggle />}
      {children}
    </div>
  );
}
