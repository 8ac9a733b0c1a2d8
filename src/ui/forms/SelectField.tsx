import { NativeSelect, Select } from '@mantine/core';
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

/** The system's own list only up to so many options (specification, section 9). */
const NATIVE_MOST = 300;

export interface SelectFieldProps<Value extends string> {
  label: string;
  /** The label is spoken only; the first choice then says what the field is about. */
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
  /** What is typed narrows the choices; for lists too long to look through. */
  searchable?: boolean;
  className?: string | undefined;
  /** Of the label and the choices, where they are words of a test. */
  lang?: string | undefined;
  /** For `className`, as `--select-width`. */
  width?: string;
}

const parts = {
  input: classes.input ?? '',
  dropdown: classes.dropdown ?? '',
  options: classes.options ?? '',
  option: classes.option ?? '',
};
const chevron = <Icon of={IconChevronDown} size={16} />;

/** A choice longer than the neutral one, which the field has room for: shown whole on hover. */
function cutLabel(choices: readonly Choice[], value: string): string | undefined {
  const chosen = choices.find((choice) => choice.value === value)?.label ?? '';
  return chosen.length > (choices[0]?.label.length ?? 0) ? chosen : undefined;
}

/** A list to type in: what is chosen goes at the first letter, and choices beyond the limit come by typing. */
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
  className,
  width,
  ...field
}: SelectFieldProps<Value>) {
  const choose = (next: string | null) => {
    const chosen = choices.find((choice) => choice.value === next);
    if (chosen) onChange(chosen.value);
  };
  const named = labelHidden ? { 'aria-label': label } : { label };
  const style = width === undefined ? {} : { '--select-width': width };
  const look = {
    ...field,
    ...named,
    labelProps: { lang: field.lang },
    style,
    className,
    rightSection: chevron,
    rightSectionWidth: '2.25rem',
  };
  if (native && !searchable && choices.length <= NATIVE_MOST) {
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
