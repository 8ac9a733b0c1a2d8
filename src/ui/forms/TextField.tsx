import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';

export interface TextFieldProps extends TextInputProps {
  label: string;
  type: 'text' | 'email' | 'password';
}

/** A text line. A password gets a button that shows it: Mantine's `PasswordInput` has no `aria-invalid`. */
export function TextField({ type, ...input }: TextFieldProps) {
  const [isShown, setShown] = useState(false);
  const asTyped = type === 'text' ? {} : { spellCheck: false, autoCapitalize: 'none' };
  if (type !== 'password') return <TextInput {...asTyped} {...input} type={type} />;
  const Eye = isShown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...asTyped}
      {...input}
      type={isShown ? 'text' : type}
      rightSectionPointerEvents="all"
      rightSectionWidth="var(--app-input)"
      rightSection={
        <ActionIcon
          aria-label="Показать пароль"
          aria-pressed={isShown}
          // Leaves the focus in the field, so that the phone's keyboard stays open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          <Eye size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      }
    />
  );
}
