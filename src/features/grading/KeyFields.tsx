import { ActionIcon, Flex, Stack, Text, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useContext, useId, type FC } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import type { useAppForm } from '#app/lib/use-app-form.ts';
import { letterOf } from '#domain/format.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { usePictures } from '#app/lib/pictures/use-pictures.ts';
import { plainText } from '#domain/format-plain-text.ts';
import { showTex } from '#domain/format-tex.ts';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { OrderingField } from '#app/ui/taking/OrderingField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { SignedField } from '#app/ui/forms/SignedField.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { gapField, leftField, type Correction, type TypedKey } from './typed-key.ts';

type Choice = Extract<Question, { kind: 'variant' }>;
type Open = Extract<Question, { kind: 'open' }>;
type Matching = Extract<Question, { kind: 'compliance' }>;
type Gaps = Extract<Question, { kind: 'gaps' }>;
type Ordering = Extract<Question, { kind: 'ordering' }>;

/** The form of a key correction. */
export type KeyForm = ReturnType<typeof useAppForm<TypedKey, Correction>>;

export interface KeyFieldsProps {
  of: KeyForm;
  question: Question;
}

interface TicksProps {
  label: string;
  options: readonly { optionId: string; text: string }[];
  value: readonly string[];
  error?: string;
  onChange: (right: string[]) => void;
}

/** Options with the right ones marked. */
function Ticks({ label, options, value: right, error, onChange }: TicksProps) {
  const resolveImage = usePictures();
  return (
    <FieldGroup label={label} error={error}>
      {options.map(({ optionId, text }) => (
        <Flex key={optionId} component="label" align="center" gap="sm" mih={44}>
          <input
            type="checkbox"
            checked={right.includes(optionId)}
            aria-invalid={error ? true : undefined}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...right, optionId] : right.filter((id) => id !== optionId))
            }
          />
          <span>
            <RichText inline text={text} resolveImage={resolveImage} />
          </span>
        </Flex>
      ))}
    </FieldGroup>
  );
}

function RightOptions({ of, question }: KeyFieldsProps & { question: Choice }) {
  const { multiple, options } = question;
  return (
    <>
      <FormField
        of={of}
        name="right"
        component={Ticks}
        label={multiple ? 'Верные варианты' : 'Верный вариант; если их несколько, засчитают любой'}
        options={options}
      />
      {multiple && (
        <FormField
          of={of}
          name="scoring"
          component={SelectField}
          label="Как считать баллы"
          native
          choices={[
            { value: 'partial', label: 'За каждый верный, минус за неверный' },
            { value: 'allOrNothing', label: 'Всё или ничего' },
          ]}
        />
      )}
    </>
  );
}

/** Carries where an answer came from; nothing is shown. */
const Origin: FC<{ value: string }> = () => null;

const NUMBER = { type: 'text', inputMode: 'decimal' } as const;

function AcceptedTexts({ of, question }: KeyFieldsProps & { question: Open }) {
  const lang = useContext(ContentLanguage);
  return (
    <>
      <FormList
        of={of}
        name="accepted"
        label="Принимаемые ответы"
        description="Регистр, лишние пробелы, ё и е, точка и запятая в числах не важны. Без ответов вопрос проверяют вручную."
        most={PARTS_PER_QUESTION}
        addLabel="Добавить ответ"
        createItem={() => ({ origin: '', text: '', share: '100' })}
      >
        {(index, onRemove) => (
          <Flex component="li" align="flex-start" gap="xs">
            <FormField of={of} name={`accepted.${index}.origin`} component={Origin} />
            <FormField
              of={of}
              name={`accepted.${index}.text`}
              component={question.input === 'number' ? SignedField : TextField}
              type="text"
              flex={1}
              miw={0}
              lang={lang}
              label={`Ответ ${index + 1}`}
            />
            <FormField
              of={of}
              name={`accepted.${index}.share`}
              {...NUMBER}
              w={88}
              label="Доля, %"
            />
            <ActionIcon aria-label={`Убрать ответ ${index + 1}`} mt={28} onClick={onRemove}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </Flex>
        )}
      </FormList>
      <FormField of={of} name="tolerance" {...NUMBER} label="Допуск для чисел" />
    </>
  );
}

function RightPairs({ of, question }: KeyFieldsProps & { question: Matching }) {
  const lang = useContext(ContentLanguage);
  return (
    <FieldGroup label="Верные пары">
      <Stack gap="sm">
        {question.left.map(({ leftId, text }, place) => (
          <FormField
            key={leftId}
            of={of}
            name={`pairs.${leftField(place)}`}
            component={SelectField}
            label={plainText(text, showTex)}
            lang={lang}
            native
            choices={[
              { value: '', label: 'Пары нет' },
              ...question.right.map((right, index) => ({
                value: right.rightId,
                label: `${letterOf(index)}. ${plainText(right.text, showTex)}`,
              })),
            ]}
          />
        ))}
      </Stack>
    </FieldGroup>
  );
}

interface OrderProps {
  question: Ordering;
  value: readonly string[];
  onChange: (order: string[]) => void;
}

function Order({ question, value, onChange }: OrderProps) {
  const id = useId();
  const resolveImage = usePictures();
  return (
    <>
      <Text id={id} fw={500}>
        Верный порядок
      </Text>
      <OrderingField
        items={question.items}
        order={value}
        labelledBy={id}
        renderText={(text) => <RichText inline text={text} resolveImage={resolveImage} />}
        onChange={onChange}
      />
    </>
  );
}

function RightGaps({ of, question }: KeyFieldsProps & { question: Gaps }) {
  const lang = useContext(ContentLanguage);
  return question.gaps.map((gap) =>
    gap.input === 'choice' ? (
      <FormField
        key={gap.gapId}
        of={of}
        name={`gaps.${gapField(gap)}`}
        component={Ticks}
        label={`Пропуск ${gap.gapId}: верные варианты`}
        options={gap.options}
      />
    ) : (
      <FormField
        key={gap.gapId}
        of={of}
        name={`gaps.${gapField(gap)}`}
        component={Textarea}
        lang={lang}
        label={`Пропуск ${gap.gapId}: принимаемые ответы, каждый с новой строки`}
        rows={2}
      />
    ),
  );
}

/** The fields of a question's key, by its kind. */
export function KeyFields({ of, question }: KeyFieldsProps) {
  switch (question.kind) {
    case 'variant':
      return <RightOptions of={of} question={question} />;
    case 'open':
      return <AcceptedTexts of={of} question={question} />;
    case 'compliance':
      return <RightPairs of={of} question={question} />;
    case 'ordering':
      return <FormField of={of} name="order" component={Order} question={question} />;
    case 'gaps':
      return <RightGaps of={of} question={question} />;
    case 'file':
      return null;
  }
}
