import { Flex, Stack, Text } from '@mantine/core';
import type { FocusEventHandler, ReactNode, Ref } from 'react';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';

export interface ChoiceCardsProps<Value extends string | number> {
  label: string;
  name: string;
  choices: readonly { value: Value; label: ReactNode; description: string }[];
  value: Value;
  onChange: (value: Value) => void;
  onBlur?: FocusEventHandler<HTMLInputElement>;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** One of a few choices, each with an explanation. */
export function ChoiceCards<Value extends string | number>({
  label,
  name,
  choices,
  value,
  onChange,
  onBlur,
  error,
  ref,
}: ChoiceCardsProps<Value>) {
  return (
    <FieldGroup label={label} error={error}>
      <Stack gap="xs">
        {choices.map((choice, index) => (
          <ChoiceRow
            key={choice.value}
            ref={index === 0 ? ref : undefined}
            atTop
            type="radio"
            className="choice"
            px="sm"
            py="sm"
            name={name}
            value={choice.value}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
            onBlur={onBlur}
          >
            <Flex
              component="span"
              direction="column"
              align="flex-start"
              gap={4}
              miw={0}
              className="break-anywhere"
            >
              {choice.label}
              <Text span size="sm" c="dimmed">
                {choice.description}
              </Text>
            </Flex>
          </ChoiceRow>
        ))}
      </Stack>
    </FieldGroup>
  );
}
