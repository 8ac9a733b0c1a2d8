import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './FilterBar.module.css';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { useMedia } from '#app/ui/use-media.ts';

/** One filter or the order of a list; its first choice is the neutral one. */
export interface Filter {
  /** «Предмет» */
  label: string;
  choices: readonly Choice[];
  value: string;
  /** `replace`: chosen in the modal. The new URL replaces the modal's history entry. */
  onChange: (value: string, replace: boolean) => void;
  /** Orders the list and hides nothing. */
  isOrder?: boolean;
  /** A long list of choices: make it searchable. */
  isSearchable?: boolean;
}

export interface FilterBarProps {
  search: {
    label: string;
    placeholder: string;
    /** A placeholder for narrow screens. */
    shortPlaceholder: string;
    value: string;
    onSearch: (value: string) => void;
  };
  filters: readonly Filter[];
  /** Further fields that are no lists of choices, and how many of them are filled. */
  more?: { fields: ReactNode; filled: number };
  /** «12 тестов»; null while unknown. */
  found: string | null;
  /** «Сбросить фильтры» in the modal. */
  onReset: () => void;
}

const isSet = ({ value, choices, isOrder }: Filter) => !isOrder && value !== choices[0]?.value;

/** Room for a name. */
const SEARCHABLE_WIDTH = '14rem';

/** As wide as the neutral choice, so that the bar does not shift when a person chooses something. */
const widthOf = (choices: Filter['choices']) =>
  `${3.4 + (choices[0]?.label.length ?? 0) * 0.5625}rem`;

/** The line from 640 px: every filter in view. */
function WideBar({
  searchField,
  filters,
  more,
}: Pick<FilterBarProps, 'filters'> & { searchField: ReactNode; more: FilterBarProps['more'] }) {
  return (
    <Group className={classes.bar} gap="xs" mb="sm" align="stretch">
      {searchField}
      <Group flex={{ base: '1 1 100%', md: '0 1 auto' }} gap="xs">
        {filters.map(({ label, choices, value, onChange, isSearchable = false }) => (
          <SelectField
            key={label}
            label={label}
            labelHidden
            searchable={isSearchable}
            flex={{ base: '1 1 calc(50% - 0.25rem)', md: 'none' }}
            miw={{ base: 'max-content', md: isSearchable ? SEARCHABLE_WIDTH : widthOf(choices) }}
            maw="100%"
            choices={choices}
            value={value}
            onChange={(next) => onChange(next, false)}
          />
        ))}
      </Group>
      {more && (
        // The labels of these fields are above them, so they have a line of their own.
        <Group flex="1 1 100%" gap="0.5rem 1rem" align="stretch">
          {more.fields}
        </Group>
      )}
    </Group>
  );
}

/** On phones: opens the filters, and shows how many are set. */
function FiltersButton({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <ActionIcon
      variant="default"
      pos="relative"
      w="var(--app-input)"
      h="var(--app-input)"
      style={{ overflow: 'visible' }}
      aria-haspopup="dialog"
      aria-label={count === 0 ? 'Фильтры и порядок' : `Фильтры и порядок, выбрано ${count}`}
      onClick={onOpen}
    >
      <Icon of={IconAdjustmentsHorizontal} />
      {count > 0 && (
        <Text
          span
          pos="absolute"
          top={-6}
          right={-6}
          miw="1.25rem"
          px={4}
          bdrs="sm"
          bg="var(--app-primary)"
          c="var(--app-on-primary)"
          fz="xs"
          lh="1.25rem"
        >
          {count}
        </Text>
      )}
    </ActionIcon>
  );
}

/** Search and filters above a list: one line from 640 px, a button on phones. */
export function FilterBar({ search, filters, more, found, onReset }: FilterBarProps) {
  const isWide = useMedia('(min-width: 640px)');
  const [dialog, setDialog] = useDialogState<'filters'>('filters');
  const count = filters.filter(isSet).length + (more?.filled ?? 0);
  const { shortPlaceholder, placeholder, ...line } = search;
  const searchField = (
    <SearchField {...line} placeholder={isWide ? placeholder : shortPlaceholder} />
  );
  if (isWide) return <WideBar searchField={searchField} filters={filters} more={more} />;
  return (
    <Group className={cx('line-below', classes.line)} gap="xs" wrap="nowrap" pb="sm">
      {searchField}
      <FiltersButton count={count} onOpen={() => setDialog('filters')} />
      <Modal
        opened={dialog === 'filters'}
        onClose={() => setDialog(null)}
        title="Фильтры и порядок"
        footer={
          <>
            <Button onClick={() => setDialog(null)}>
              {found === null ? 'Показать' : `Показать ${found}`}
            </Button>
            <Button variant="default" onClick={onReset}>
              Сбросить фильтры
            </Button>
          </>
        }
      >
        <Stack>
          {filters.map(({ label, choices, value, onChange, isSearchable = false }) => (
            <SelectField
              key={label}
              native
              searchable={isSearchable}
              label={label}
              choices={choices}
              value={value}
              onChange={(next) => onChange(next, true)}
            />
          ))}
          {more?.fields}
        </Stack>
      </Modal>
    </Group>
  );
}
