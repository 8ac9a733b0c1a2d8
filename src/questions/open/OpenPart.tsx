import { Group } from '@mantine/core';
import { useId, useRef } from 'react';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { AcceptedList, NEW_ACCEPTED, type AcceptedKey } from '#app/questions/form/AcceptedList.tsx';
import { PartHead, TICK_LINE, Toggle } from '#app/questions/form/PartHead.tsx';
import type { PartProps } from '#app/questions/form/parts.ts';

const INPUTS = [
  { value: 'line', label: 'Строка' },
  { value: 'number', label: 'Число' },
] as const;

function InputKind({ question, onChange }: Pick<PartProps<'open'>, 'question' | 'onChange'>) {
  const name = useId();
  return (
    <FieldGroup label="Что вводит ученик">
      <Group gap="0 1.25rem" align="stretch">
        {INPUTS.map(({ value, label }) => (
          <ChoiceRow
            key={value}
            {...TICK_LINE}
            type="radio"
            name={name}
            checked={question.input === value}
            onChange={() => onChange({ ...question, input: value }, 'input')}
          >
            {label}
          </ChoiceRow>
        ))}
      </Group>
    </FieldGroup>
  );
}

/** Accepted texts or numbers, or grading by hand. */
export function OpenPart({ question, onChange, problems }: PartProps<'open'>) {
  const id = useId();
  /** The accepted answers before the change to grading by hand. */
  const before = useRef<AcceptedKey['accepted']>([NEW_ACCEPTED]);
  const { accepted, input } = question;
  const byHand = accepted.length === 0;
  const change = (part: Partial<AcceptedKey>, field: string) => {
    if (part.accepted?.length === 0) before.current = [NEW_ACCEPTED];
    onChange({ ...question, ...part }, field);
  };
  const setByHand = (wanted: boolean) => {
    if (wanted) before.current = accepted;
    onChange({ ...question, accepted: wanted ? [] : before.current }, 'by-hand');
  };

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
        {!byHand && <AcceptedList of={question} onChange={change} />}
      </section>
    </>
  );
}
