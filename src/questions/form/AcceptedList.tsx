import { Box, Input, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { parseNumber } from '#domain/normalise.ts';
import { newId } from '#app/lib/new-id.ts';
import { AcceptedRow } from './AcceptedRow.tsx';
import { NumberInput } from './NumberInput.tsx';
import type { Of } from './parts.ts';
import { AddRow } from './AddRow.tsx';
import { useRowFocus } from './use-row-focus.ts';

type Accepted = Of<'open'>['accepted'][number];

/** Accepted texts or numbers, of a question or of a gap. */
export interface AcceptedKey {
  readonly input: Of<'open'>['input'];
  readonly accepted: Accepted[];
  readonly tolerance: number;
}

interface AcceptedListProps {
  readonly of: AcceptedKey;
  /** `field` names the edited field: consecutive changes to it form one undo step. */
  readonly onChange: (part: Partial<AcceptedKey>, field: string) => void;
}

export const NEW_ACCEPTED: Accepted = { text: '', share: 1 };

const TOLERANCE = { min: 0, max: 1e12, digits: 10, empty: 0 };

function Tolerance({ of, onChange }: AcceptedListProps) {
  const id = useId();
  return (
    <Box mt="md">
      <Input.Label htmlFor={id}>Допуск, ±</Input.Label>
      <Text id={`${id}-help`} size="sm" c="dimmed">
        Засчитывается и число, которое отличается не больше чем на столько. 0 – только точное.
      </Text>
      <NumberInput
        id={id}
        value={of.tolerance}
        bounds={TOLERANCE}
        describedBy={`${id}-help`}
        onChange={(tolerance) => onChange({ tolerance }, 'tolerance')}
      />
    </Box>
  );
}

/** The answers that a key accepts, each with its share; for numbers with a tolerance. */
export function AcceptedList({ of, onChange }: AcceptedListProps) {
  const { list, focusRow } = useRowFocus();
  const { accepted, input } = of;
  const change = (next: readonly Accepted[], field: string) =>
    onChange({ accepted: [...next] }, field);
  const replace = (index: number, next: Accepted, field: string) =>
    change(
      accepted.map((each, at) => (at === index ? next : each)),
      `${field}:${index}`,
    );
  const add = (at: number) => {
    if (accepted.length >= PARTS_PER_QUESTION) return;
    focusRow(at);
    change([...accepted.slice(0, at), NEW_ACCEPTED, ...accepted.slice(at)], `add:${newId()}`);
  };
  const remove = (index: number) => {
    focusRow(Math.max(0, index - 1));
    change(
      accepted.filter((_, at) => at !== index),
      `remove:${newId()}`,
    );
  };
  const isNumeric =
    input === 'number' || accepted.some(({ text }) => text !== '' && parseNumber(text) !== null);
  return (
    <>
      <Stack component="ul" ref={list} gap="xs">
        {accepted.map((each, index) => (
          <AcceptedRow
            // oxlint-disable-next-line react/no-array-index-key -- they have no ids of their own, and stand in order
            key={index}
            accepted={each}
            number={index + 1}
            input={input}
            onChange={(next, field) => replace(index, next, field)}
            onRemove={() => remove(index)}
            onEnter={() => add(index + 1)}
          />
        ))}
      </Stack>
      <AddRow onClick={() => add(accepted.length)}>Добавить ответ</AddRow>
      {isNumeric && <Tolerance of={of} onChange={onChange} />}
    </>
  );
}
