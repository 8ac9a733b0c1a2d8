import { Button, Flex, Group, Input, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { parseNumber } from '#domain/normalise.ts';
import { newId } from '#app/lib/new-id.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { AcceptedRow } from './AcceptedRow.tsx';
import { NumberInput } from './NumberInput.tsx';
import { PartHead, TICK_LINE, Toggle } from './PartHead.tsx';
import type { Of, PartProps } from './parts.ts';
import classes from './QuestionForm.module.css';
import { useRowFocus } from './use-row-focus.ts';

type Accepted = Of<'open'>['accepted'][number];

const INPUTS = [
  { value: 'line', label: 'Строка' },
  { value: 'number', label: 'Число' },
] as const;

const TOLERANCE = { min: 0, max: 1e12, digits: 10, empty: 0 };
const NEW: Accepted = { text: '', share: 1 };

function InputKind({ question, onChange }: Pick<PartProps<'open'>, 'question' | 'onChange'>) {
  const name = useId();
  return (
    <FieldGroup label="Что вводит ученик">
      <Group gap="0 1.25rem" align="stretch">
        {INPUTS.map(({ value, label }) => (
          <Flex key={value} {...TICK_LINE}>
            <input
              type="radio"
              name={name}
              checked={question.input === value}
              onChange={() => onChange({ ...question, input: value }, 'input')}
            />
            {label}
          </Flex>
        ))}
      </Group>
    </FieldGroup>
  );
}

function Tolerance({ question, onChange }: Pick<PartProps<'open'>, 'question' | 'onChange'>) {
  const id = useId();
  return (
    <div>
      <Input.Label htmlFor={id}>Допуск, ±</Input.Label>
      <Text id={`${id}-help`} size="sm" c="dimmed">
        Засчитывается и число, которое отличается не больше чем на столько. 0 – только точное.
      </Text>
      <NumberInput
        id={id}
        value={question.tolerance}
        bounds={TOLERANCE}
        describedBy={`${id}-help`}
        onChange={(tolerance) => onChange({ ...question, tolerance }, 'tolerance')}
      />
    </div>
  );
}

/** Accepted texts or numbers, or grading by hand. */
export function OpenPart({ question, onChange, problems, resolve }: PartProps<'open'>) {
  const id = useId();
  const { list, focusRow } = useRowFocus();
  /** Accepted answers from before grading by hand was chosen. */
  const before = useRef<readonly Accepted[]>([NEW]);
  const { accepted, input } = question;
  const byHand = accepted.length === 0;

  const change = (next: readonly Accepted[], field: string) =>
    onChange({ ...question, accepted: [...next] }, field);
  const replace = (index: number, next: Accepted, field: string) =>
    change(
      accepted.map((each, at) => (at === index ? next : each)),
      `${field}:${index}`,
    );
  const add = (at: number) => {
    if (accepted.length >= PARTS_PER_QUESTION) return;
    focusRow(at);
    change([...accepted.slice(0, at), NEW, ...accepted.slice(at)], `add:${newId()}`);
  };
  const remove = (index: number) => {
    if (accepted.length === 1) before.current = [NEW];
    focusRow(Math.max(0, index - 1));
    change(
      accepted.filter((_, at) => at !== index),
      `remove:${newId()}`,
    );
  };
  const setByHand = (wanted: boolean) => {
    if (wanted) before.current = accepted;
    change(wanted ? [] : before.current, 'by-hand');
  };
  const isNumeric =
    input === 'number' || accepted.some(({ text }) => text !== '' && parseNumber(text) !== null);

  return (
    <>
      {input !== 'text' && <InputKind question={question} onChange={onChange} />}
      <section aria-labelledby={`${id}-name`}>
        <PartHead
          id={`${id}-name`}
          name="Верные ответы"
          hint={
            byHand
              ? 'Ответ прочитает преподаватель и поставит баллы.'
              : 'Заглавные буквы, лишние пробелы, ё и е не важны; в числах – и точка, и запятая.'
          }
          problems={problems}
          aside={<Toggle label="Проверяет преподаватель" checked={byHand} onChange={setByHand} />}
        />
        {!byHand && (
          <>
            <ul ref={list} className={classes.rows}>
              {accepted.map((each, index) => (
                <AcceptedRow
                  // oxlint-disable-next-line react/no-array-index-key -- they have no ids of their own, and stand in order
                  key={index}
                  accepted={each}
                  number={index + 1}
                  input={input}
                  resolve={resolve}
                  onChange={(next, field) => replace(index, next, field)}
                  onRemove={() => remove(index)}
                  onEnter={() => add(index + 1)}
                />
              ))}
            </ul>
            <Button
              variant="subtle"
              size="sm"
              m="0.25rem 0 0 -1rem"
              leftSection={<Icon of={IconPlus} />}
              onClick={() => add(accepted.length)}
            >
              Добавить ответ
            </Button>
          </>
        )}
      </section>
      {!byHand && isNumeric && <Tolerance question={question} onChange={onChange} />}
    </>
  );
}
