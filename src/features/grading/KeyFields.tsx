import { ActionIcon, Button, Flex, Stack, Text, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Question } from '#contract/questions.ts';
import { letterOf } from '#domain/format.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { usePictures } from '#app/lib/pictures/use-pictures.ts';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { OrderingField } from '#app/ui/taking/OrderingField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import type { Accepted, TypedKey } from './typed-key.ts';
import classes from './grading.module.css';

type Choice = Extract<Question, { kind: 'variant' }>;
type Matching = Extract<Question, { kind: 'compliance' }>;
type Gaps = Extract<Question, { kind: 'gaps' }>;
type Ordering = Extract<Question, { kind: 'ordering' }>;

export interface KeyFieldsProps {
  question: Question;
  typed: TypedKey;
  error: (field: string) => string;
  onChange: (part: Partial<TypedKey>) => void;
}

/** Options with the right ones marked; `right` may hold others' ids, too, which stay. */
function Ticks({
  options,
  right,
  type,
  onChange,
}: {
  options: readonly { optionId: string; text: string }[];
  right: readonly string[];
  type: 'checkbox' | 'radio';
  onChange: (right: string[]) => void;
}) {
  const resolveImage = usePictures();
  return options.map(({ optionId, text }) => (
    <Flex key={optionId} component="label" className={classes.keyOption} gap="sm" mih={44}>
      <input
        type={type}
        name="right-option"
        checked={right.includes(optionId)}
        onChange={({ currentTarget: { checked } }) => {
          if (type === 'radio') onChange([optionId]);
          else onChange(checked ? [...right, optionId] : right.filter((id) => id !== optionId));
        }}
      />
      <span>
        <RichText inline text={text} resolveImage={resolveImage} />
      </span>
    </Flex>
  ));
}

function RightOptions({ question, typed, error, onChange }: KeyFieldsProps & { question: Choice }) {
  const { multiple } = question;
  return (
    <>
      <FieldGroup
        label={multiple ? 'Верные варианты' : 'Верный вариант'}
        error={error('question.options')}
      >
        <Ticks
          options={question.options}
          right={typed.right}
          type={multiple ? 'checkbox' : 'radio'}
          onChange={(right) => onChange({ right })}
        />
      </FieldGroup>
      {multiple && (
        <SelectField
          label="Как считать баллы"
          native
          choices={[
            { value: 'partial', label: 'За каждый верный, минус за неверный' },
            { value: 'allOrNothing', label: 'Всё или ничего' },
          ]}
          value={typed.scoring}
          onChange={(scoring) => onChange({ scoring })}
        />
      )}
    </>
  );
}

function AcceptedTexts({ typed, error, onChange }: KeyFieldsProps) {
  const replace = (index: number, part: Partial<Accepted>) =>
    onChange({
      accepted: typed.accepted.map((each, at) => (at === index ? { ...each, ...part } : each)),
    });
  return (
    <>
      <FieldGroup
        label="Принимаемые ответы"
        description="Регистр, лишние пробелы, ё и е, точка и запятая в числах не важны. Без ответов вопрос проверяют вручную."
      >
        {typed.accepted.map((accepted, index) => (
          <div key={accepted.id} className={classes.accepted}>
            <TextField
              label={`Ответ ${index + 1}`}
              type="text"
              value={accepted.text}
              error={error(`question.accepted.${index}.text`)}
              onChange={(event) => replace(index, { text: event.currentTarget.value })}
            />
            <TextField
              label="Доля, %"
              type="text"
              inputMode="decimal"
              value={accepted.share}
              error={error(`question.accepted.${index}.share`)}
              onChange={(event) => replace(index, { share: event.currentTarget.value })}
            />
            <ActionIcon
              aria-label={`Убрать ответ ${index + 1}`}
              mt={28}
              onClick={() =>
                onChange({ accepted: typed.accepted.filter((each) => each !== accepted) })
              }
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => {
            const id = Math.max(0, ...typed.accepted.map((each) => each.id)) + 1;
            onChange({ accepted: [...typed.accepted, { id, text: '', share: '100' }] });
          }}
        >
          Добавить ответ
        </Button>
      </FieldGroup>
      <TextField
        label="Допуск для чисел"
        type="text"
        inputMode="decimal"
        value={typed.tolerance}
        error={error('question.tolerance')}
        onChange={(event) => onChange({ tolerance: event.currentTarget.value })}
      />
    </>
  );
}

function RightPairs({ question, typed, error, onChange }: KeyFieldsProps & { question: Matching }) {
  return (
    <FieldGroup label="Верные пары" error={error('question.pairs')}>
      <Stack gap="sm">
        {question.left.map(({ leftId, text }) => (
          <SelectField
            key={leftId}
            label={text}
            native
            choices={[
              { value: '', label: 'Пары нет' },
              ...question.right.map((right, index) => ({
                value: right.rightId,
                label: `${letterOf(index)}. ${right.text}`,
              })),
            ]}
            value={typed.pairs[leftId] ?? ''}
            onChange={(rightId) => onChange({ pairs: { ...typed.pairs, [leftId]: rightId } })}
          />
        ))}
      </Stack>
    </FieldGroup>
  );
}

function RightOrder({ question, typed, onChange }: KeyFieldsProps & { question: Ordering }) {
  const id = useId();
  const resolveImage = usePictures();
  return (
    <>
      <Text id={id} fw={500}>
        Верный порядок
      </Text>
      <OrderingField
        items={question.items}
        order={typed.order}
        labelledBy={id}
        renderText={(text) => <RichText inline text={text} resolveImage={resolveImage} />}
        onChange={(order) => onChange({ order })}
      />
    </>
  );
}

function RightGaps({ question, typed, error, onChange }: KeyFieldsProps & { question: Gaps }) {
  return question.gaps.map((gap, index) =>
    gap.input === 'choice' ? (
      <FieldGroup
        key={gap.gapId}
        label={`Пропуск ${gap.gapId}: верные варианты`}
        error={error(`question.gaps.${index}`)}
      >
        <Ticks
          options={gap.options}
          right={typed.right}
          type="checkbox"
          onChange={(right) => onChange({ right })}
        />
      </FieldGroup>
    ) : (
      <Textarea
        key={gap.gapId}
        label={`Пропуск ${gap.gapId}: принимаемые ответы, каждый с новой строки`}
        rows={3}
        value={typed.gaps[gap.gapId] ?? ''}
        error={error(`question.gaps.${index}`)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ gaps: { ...typed.gaps, [gap.gapId]: value } })
        }
      />
    ),
  );
}

/** The fields of a question's key, by its kind. */
export function KeyFields(props: KeyFieldsProps) {
  const { question } = props;
  switch (question.kind) {
    case 'variant':
      return <RightOptions {...props} question={question} />;
    case 'open':
      return <AcceptedTexts {...props} />;
    case 'compliance':
      return <RightPairs {...props} question={question} />;
    case 'ordering':
      return <RightOrder {...props} question={question} />;
    case 'gaps':
      return <RightGaps {...props} question={question} />;
    case 'file':
      return null;
  }
}
