import { ActionIcon, Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './FilterBar.module.css';
import { SearchField } from './SearchField.tsx';
import { SelectField, type Choice } from './SelectField.tsx';
import { Sheet } from './Sheet.tsx';
import { useMedia } from './use-media.ts';

/** One thing a list is narrowed or ordered by; its first choice is the neutral one. */
export interface Filter {
  /** «Предмет» */
  label: string;
  choices: readonly Choice[];
  value: string;
  /** `replace`: chosen in the sheet, whose history entry it takes the place of. */
  onChange: (value: string, replace: boolean) => void;
  /** Orders the list and hides nothing of it. */
  isOrder?: boolean;
}

export interface FilterBarProps {
  search: {
    label: string;
    placeholder: string;
    /** For a phone's width. */
    shortPlaceholder: string;
    value: string;
    onSearch: (value: string) => void;
  };
  filters: readonly Filter[];
  /** «12 тестов»; null while unknown. */
  found: string | null;
  /** «Сбросить фильтры» in the sheet. */
  onReset: () => void;
}

const isSet = ({ value, choices, isOrder }: Filter) => !isOrder && value !== choices[0]?.value;

/** Room for the neutral choice: the bar keeps its places whatever is chosen. */
const widthOf = (choices: Filter['choices']) =>
  `${3.4 + (choices[0]?.label.length ?? 0) * 0.5625}rem`;

/** Search and filters above a list: in a line from 640 px, on phones behind a button. */
export function FilterBar({ search, filters, found, onReset }: FilterBarProps) {
  const isWide = useMedia('(min-width: 640px)');
  const [opened, setOpened] = useState(false);
  const count = filters.filter(isSet).length;
  const { shortPlaceholder, placeholder, ...line } = search;
  const searchField = (
    <SearchField {...line} placeholder={isWide ? placeholder : shortPlaceholder} />
  );
  if (isWide) {
    return (
      <div className={classes.bar}>
        {searchField}
        <div className={classes.filters}>
          {filters.map(({ label, choices, value, onChange }) => (
            <SelectField
              key={label}
              label={label}
              labelHidden
              className={classes.filter}
              width={widthOf(choices)}
              choices={choices}
              value={value}
              onChange={(next) => onChange(next, false)}
            />
          ))}
        </div>
      </div>
    );
  }
  return (
    <div className={classes.line}>
      {searchField}
      <ActionIcon
        variant="default"
        className={classes.open}
        aria-haspopup="dialog"
        aria-label={count === 0 ? 'Фильтры и порядок' : `Фильтры и порядок, выбрано ${count}`}
        onClick={() => setOpened(true)}
      >
        <IconAdjustmentsHorizontal size={20} stroke={1.75} aria-hidden />
        {count > 0 && <span className={classes.count}>{count}</span>}
      </ActionIcon>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title="Фильтры и порядок"
        footer={
          <>
            <Button onClick={() => setOpened(false)}>
              {found === null ? 'Показать' : `Показать ${found}`}
            </Button>
            <Button variant="default" onClick={onReset}>
              Сбросить фильтры
            </Button>
          </>
        }
      >
        <div className={classes.sheet}>
          {filters.map(({ label, choices, value, onChange }) => (
            <SelectField
              key={label}
              native
              label={label}
              choices={choices}
              value={value}
              onChange={(next) => onChange(next, true)}
            />
          ))}
        </div>
      </Sheet>
    </div>
  );
}
