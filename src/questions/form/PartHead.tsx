import { Box, Flex, Group, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { Of } from './parts.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import classes from './QuestionForm.module.css';

/** Heading of a form section, with its error and a switch. */
export function PartHead({
  id,
  name,
  hint,
  problems,
  aside,
}: {
  id: string;
  name: string;
  hint?: string;
  problems: readonly string[];
  aside?: ReactNode;
}) {
  return (
    <Box mb={6}>
      <Group justify="space-between" gap="0 1rem" mih={44}>
        <Title id={id} order={3} fz="md" fw={500}>
          {name}
        </Title>
        {aside}
      </Group>
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      <div role="status">
        {problems.map((problem) => (
          <FieldError key={problem}>{problem}</FieldError>
        ))}
      </div>
    </Box>
  );
}

/** A labelled switch. */
export function Toggle({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <Flex component="label" pos="relative" align="center" gap="xs" mih={44} fz={15}>
      <input
        type="checkbox"
        role="switch"
        className="hit-area"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={classes.track} aria-hidden />
      {label}
    </Flex>
  );
}

/** A radio button or a check box of the form. */
export const TICK_LINE = { atTop: true, gap: 10, py: 10 } as const;

const SCORINGS = [
  {
    value: 'partial',
    label: 'Частичный балл',
    description:
      'Каждый верный прибавляет свою долю, каждый неверный отнимает; меньше нуля не бывает.',
  },
  {
    value: 'allOrNothing',
    label: 'Всё или ничего',
    description: 'Баллы только за все верные без единого неверного.',
  },
] as const;

/** The scoring rule of multiple-choice questions. */
export function ScoringChoice({
  value,
  onChange,
}: {
  value: Of<'variant'>['scoring'];
  onChange: (value: Of<'variant'>['scoring']) => void;
}) {
  const name = useId();
  return (
    <Box mt="xs">
      <FieldGroup label="Как считать баллы">
        {SCORINGS.map((one) => (
          <ChoiceRow
            key={one.value}
            {...TICK_LINE}
            type="radio"
            name={name}
            checked={value === one.value}
            aria-describedby={`${name}-${one.value}`}
            aria-label={one.label}
            onChange={() => onChange(one.value)}
          >
            {one.label}
            <Text id={`${name}-${one.value}`} span display="block" size="sm" c="dimmed">
              {one.description}
            </Text>
          </ChoiceRow>
        ))}
      </FieldGroup>
    </Box>
  );
}
