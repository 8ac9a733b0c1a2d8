import { Box, Flex, type FlexProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';

export interface ChoiceRowProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'checked' | 'onChange' | 'className'
> {
  type: 'radio' | 'checkbox';
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Aligns the box with the first line, not with the middle. */
  atTop?: boolean;
  /** Of the row. */
  className?: string | undefined;
  py?: FlexProps['py'];
  px?: FlexProps['px'];
  gap?: FlexProps['gap'];
  /** At the end of the row. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A radio button or a check box with its label. The whole row can be pressed; the box is the system's own. */
export function ChoiceRow({
  type,
  checked,
  onChange,
  atTop = false,
  className,
  py = 0,
  px = 0,
  gap = 'sm',
  aside,
  children,
  ...input
}: ChoiceRowProps) {
  return (
    <Flex
      component="label"
      align={atTop ? 'flex-start' : 'center'}
      gap={gap}
      mih="2.75rem"
      py={py}
      px={px}
      className={className}
    >
      <input
        {...input}
        type={type}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Box component="span" flex={1} miw={0}>
        {children}
      </Box>
      {aside}
    </Flex>
  );
}
