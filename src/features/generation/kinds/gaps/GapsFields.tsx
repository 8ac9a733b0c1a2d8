import { ActionIcon, Paper, Text, Textarea } from '@mantine/core';
import { setValue } from '@modular-forms/react';
import { IconTrash } from '@tabler/icons-react';
import { useEffect } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { withGapPlaces } from '#domain/format-gaps.ts';
import { freeGapId } from '#domain/gaps.ts';
import { insertGapPlace } from '#app/questions/form/text-edit.ts';
import { writeList } from '#app/lib/write-form.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import classes from '#app/features/generation/generate.module.css';
import type { TemplateKeyFieldsProps } from '#app/features/generation/kinds/key-fields.ts';
import {
  EXPRESSION,
  NUMBER,
  type TemplateFields,
} from '#app/features/generation/template-fields.ts';
import { gapsOfText, newGap, type GapForm } from './gap-form.ts';

const INPUTS: readonly Choice<GapForm['input']>[] = [
  { value: 'line', label: 'Слово' },
  { value: 'number', label: 'Число' },
  { value: 'choice', label: 'Выбор из списка' },
];
/** Words or options, one per line. */
const LINES = { component: Textarea, className: classes.whole, rows: 3, autoComplete: 'off' };

/** The number of a gap. It is typed only in the text. */
function GapTitle({ value }: { value: string }) {
  return (
    <Text className={classes.whole} fw={500} lh={2.2}>
      Пропуск {value}
    </Text>
  );
}

function Expected({
  of,
  at,
  gap: { gapId, input },
}: Pick<TemplateFields, 'of'> & { at: `gaps.${number}`; gap: GapForm }) {
  switch (input) {
    case 'line':
      return (
        <FormField
          of={of}
          name={`${at}.accepted`}
          {...LINES}
          label={`Верные слова в пропуске ${gapId}`}
          description="Каждое с новой строки; засчитается любое из них"
        />
      );
    case 'number':
      return (
        <>
          <FormField
            of={of}
            name={`${at}.answer`}
            {...EXPRESSION}
            label={`Верное число в пропуске ${gapId}`}
            description="Выражение: m * a"
          />
          <FormField
            of={of}
            name={`${at}.tolerance`}
            {...NUMBER}
            label={`Допуск в пропуске ${gapId}`}
            description="0: точно"
          />
        </>
      );
    case 'choice':
      return (
        <>
          <FormField
            of={of}
            name={`${at}.right`}
            {...EXPRESSION}
            className={classes.whole}
            label={`Верный вариант в пропуске ${gapId}`}
            description="Слово или текст с числом: {{m * a}} Н"
          />
          <FormField
            of={of}
            name={`${at}.wrong`}
            {...LINES}
            label={`Неверные варианты в пропуске ${gapId}`}
            description="Каждый с новой строки"
          />
        </>
      );
  }
}

/** The gaps of the text: each is a word, a number or a list to choose from. */
export function GapsFields({ of, typed: { text, gaps }, selection }: TemplateKeyFieldsProps) {
  const { store } = of;
  const writeText = (next: string) =>
    setValue(store, 'text', next, { shouldFocus: false, shouldValidate: false });
  useEffect(() => {
    const next = gapsOfText(gaps, text);
    const isSame = next.every((gap, index) => gap.gapId === gaps[index]?.gapId);
    if (!isSame || next.length !== gaps.length) writeList(store, 'gaps', next);
  }, [gaps, text, store]);
  const insert = () => {
    const gapId = freeGapId({ text, gaps });
    const inserted = insertGapPlace(text, selection(), gapId);
    writeText(inserted.text);
    return newGap(gapId, inserted.word);
  };
  const remove = (index: number) => {
    const removed = gaps[index]?.gapId;
    writeText(withGapPlaces(text, (gapId) => (gapId === removed ? '' : `[[${gapId}]]`)));
    const rest = gaps.filter((_, at) => at !== index);
    writeList(store, 'gaps', rest);
  };
  return (
    <FormList
      of={of}
      name="gaps"
      label="Пропуски"
      description="Выделите в тексте вопроса слово или {{a * b}} и нажмите «Добавить пропуск»"
      most={PARTS_PER_QUESTION}
      addLabel="Добавить пропуск"
      createItem={insert}
    >
      {(index) => {
        const at = `gaps.${index}` as const;
        const gap = gaps[index] ?? newGap('', '');
        return (
          <Paper component="li" className={classes.part} p="sm" radius="md">
            <FormField of={of} name={`${at}.gapId`} component={GapTitle} />
            <FormField
              of={of}
              name={`${at}.input`}
              component={SelectField<GapForm['input']>}
              className={classes.whole}
              native
              labelHidden
              label={`Что в пропуске ${gap.gapId}`}
              choices={INPUTS}
            />
            <Expected of={of} at={at} gap={gap} />
            <ActionIcon
              className={classes.corner}
              aria-label={`Убрать пропуск ${gap.gapId}`}
              onClick={() => remove(index)}
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </Paper>
        );
      }}
    </FormList>
  );
}
