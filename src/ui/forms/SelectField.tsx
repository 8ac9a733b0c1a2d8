import { NativeSelect, Select, type BoxProps } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import { IconChevronDown } from '@tabler/icons-react';
import type { FocusEvent, RefCallback } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './SelectField.module.css';

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
}

/** The system's own list is used only up to this many options (specification, section 9). */
const MAX_NATIVE_CHOICES = 300;

export interface SelectFieldProps<Value extends string> {
  label: string;
  /** The label is only spoken. The first choice then names the field. */
  labelHidden?: boolean;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  onBlur?: (event: FocusEvent<HTMLInputElement | HTMLSelectElement>) => void;
  name?: string;
  error?: string | undefined;
  ref?: RefCallback<HTMLInputElement | HTMLSelectElement>;
  /** The system's own list: for phones and inside a `Modal`. */
  native?: boolean;
  /** Typing narrows the choices; for long lists. */
  searchable?: boolean;
  className?: string | undefined;
  flex?: BoxProps['flex'];
  miw?: BoxProps['miw'];
  maw?: BoxProps['maw'];
  /** Language of the label and the choices, if they are a test's own texts. */
  lang?: string | undefined;
}

const parts = {
  input: classes.input ?? '',
  dropdown: classes.dropdown ?? '',
  options: classes.options ?? '',
  option: classes.option ?? '',
};
const chevron = <Icon of={IconChevronDown} size={16} />;

/** Returns a choice that is longer than the field (which fits the neutral choice), to show it whole on hover. */
function cutLabel(choices: readonly Choice[], value: string): string | undefined {
  const chosen = choices.find((choice) => choice.value === value)?.label ?? '';
  return chosen.length > (choices[0]?.label.length ?? 0) ? chosen : undefined;
}

/** Props of a searchable list: the first letter replaces the chosen text, and typing finds choices beyond the limit. */
const SEARCH = {
  searchable: true,
  limit: 50,
  nothingFoundMessage: 'Никого не нашлось',
  selectFirstOptionOnChange: true,
  onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
} as const;

/** One of several choices from a list. */
export function SelectField<Value extends string>({
  label,
  labelHidden = false,
  choices,
  value,
  onChange,
  native = false,
  searchable = false,
  ...field
}: SelectFieldProps<Value>) {
  const choose = (next: string | null) => {
    const chosen = choices.find((choice) => choice.value === next);
    if (chosen) onChange(chosen.value);
  };
  const named = labelHidden ? { 'aria-label': label } : { label };
  const look = {
    ...field,
    ...named,
    labelProps: { lang: field.lang },
    rightSection: chevron,
    rightSectionWidth: '2.25rem',
  };
  if (native && !searchable && choices.length <= MAX_NATIVE_CHOICES) {
    return (
      <NativeSelect
        {...look}
        rightSectionPointerEvents="none"
        data={[...choices]}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    );
  }
  return (
    <Select
      {...look}
      rightSectionPointerEvents="none"
      classNames={parts}
      data={[...choices]}
      value={value}
      title={cutLabel(choices, value)}
      onChange={choose}
      allowDeselect={false}
      openOnFocus={false}
      {...(searchable && SEARCH)}
      withScrollArea={false}
      checkIconPosition="right"
      comboboxProps={{
        withinPortal: false,
        width: searchable ? 'target' : 'max-content',
        position: 'bottom-start',
      }}
    />
  );
}
