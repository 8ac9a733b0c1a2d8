import { Button, type ButtonProps } from '@mantine/core';
import { useRef, type ReactNode, type RefObject } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { FileInput, type FileInputProps } from './FileInput.tsx';

export interface PickButtonProps
  extends
    Pick<FileInputProps, 'accept' | 'capture' | 'multiple' | 'onFiles'>,
    Pick<ButtonProps, 'className' | 'disabled' | 'loading' | 'size' | 'variant'> {
  icon: IconType;
  children: ReactNode;
  /** Of the required file, for the input: «Файл CSV». */
  label?: string;
  /** Id of the text about the file. */
  describedBy?: string | undefined;
  autoFocused?: boolean;
  /** The input's ref, for another control that opens the file picker. */
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** Opens the system's file picker. */
export function PickButton({
  icon,
  children,
  label,
  describedBy,
  autoFocused,
  inputRef,
  accept,
  capture,
  multiple,
  onFiles,
  ...button
}: PickButtonProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  return (
    <>
      <Button
        {...button}
        data-autofocus={autoFocused || undefined}
        leftSection={<Icon of={icon} />}
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <FileInput
        ref={input}
        hidden
        aria-label={label}
        {...{ accept, capture, multiple, onFiles }}
      />
    </>
  );
}
