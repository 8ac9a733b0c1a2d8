import { ActionIcon, Button, Flex, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconListDetails, IconMessage, IconTrash } from '@tabler/icons-react';
import { useContext, useId, useState } from 'react';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { Gap, Question } from '#contract/questions.ts';
import { gapIdsIn, withGapPlaces } from '#domain/format-gaps.ts';
import { withSharedWords } from '#domain/gap-words.ts';
import { freeGapId, newGap } from '#domain/gaps.ts';
import { newId } from '#app/lib/new-id.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { sharedWords } from '#app/ui/taking/shared-words.ts';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { AcceptedList, NEW_ACCEPTED } from '#app/questions/form/AcceptedList.tsx';
import { FeedbackField } from '#app/questions/form/FeedbackField.tsx';
import { NumberInput } from '#app/questions/form/NumberInput.tsx';
import { AddRow } from '#app/questions/form/AddRow.tsx';
import { PartHead, Toggle } from '#app/questions/form/PartHead.tsx';
import { RightMark } from '#app/questions/form/RightMark.tsx';
import { optional, type Of, type PartProps } from '#app/questions/form/parts.ts';
import { insertGapPlace, type Selection } from '#app/questions/form/text-edit.ts';
import { useRowFocus } from '#app/questions/form/use-row-focus.ts';

type ChoiceGap = Extract<Gap, { input: 'choice' }>;
type Option = ChoiceGap['options'][number];

const INPUTS = [
  { value: 'line', label: 'Слово' },
  { value: 'number', label: 'Число' },
  { value: 'choice', label: 'Выбор из списка' },
] as const;

const WEIGHT = { min: 1, max: 100, digits: 0, empty: 1 };

const emptyOption = (text = '', isRight = false): Option => ({ optionId: newId(), text, isRight });

/** The gap with another input; accepted answers and right options become each other. */
function withInput(gap: Gap, input: Gap['input']): Gap {
  const { gapId, weight } = gap;
  if (input === 'choice') {
    if (gap.input === 'choice') return gap;
    const right = gap.accepted
      .filter(({ share }) => share > 0)
      .map(({ text }) => emptyOption(text, true));
    return { gapId, weight, input, options: [...right, emptyOption(), emptyOption()] };
  }
  if (gap.input !== 'choice') return { ...gap, input };
  const accepted = gap.options
    .filter(({ isRight }) => isRight)
    .map(({ text, feedback }) => ({ text, share: 1, ...optional('feedback', feedback ?? '') }));
  const shownAccepted = accepted.length > 0 ? accepted : [NEW_ACCEPTED];
  return { gapId, weight, input, accepted: shownAccepted, tolerance: 0 };
}

interface OptionRowProps {
  readonly option: Option;
  readonly number: number;
  readonly onChange: (option: Option, field: string) => void;
  readonly onRemove: () => void;
  readonly onEnter: () => void;
}

function OptionRow({ option, number, onChange, onRemove, onEnter }: OptionRowProps) {
  const [isTelling, setTelling] = useState(false);
  const { text, isRight, feedback = '' } = option;
  return (
    <li>
      <Flex gap={4} align="center">
        <RightMark
          number={number}
          multiple
          checked={isRight}
          onChange={(checked) => onChange({ ...option, isRight: checked }, 'right')}
        />
        <TextInput
          flex={1}
          miw={0}
          lang={useContext(ContentLanguage)}
          value={text}
          aria-label={`Вариант ${number}`}
          placeholder={`Вариант ${number}`}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...option, text: value }, 'option')
          }
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter();
            else if (event.key === 'Backspace' && text === '' && !event.repeat && number > 1) {
              event.preventDefault();
              onRemove();
            }
          }}
        />
        <RowMenu
          label={`Действия с вариантом ${number}`}
          actions={[
            { icon: IconMessage, label: 'Отзыв на этот вариант', onClick: () => setTelling(true) },
          ]}
        />
        <ActionIcon aria-label={`Удалить вариант ${number}`} onClick={onRemove}>
          <Icon of={IconTrash} />
        </ActionIcon>
      </Flex>
      {(isTelling || feedback !== '') && (
        <FeedbackField
          label={`Отзыв на вариант ${number}`}
          value={feedback}
          onChange={(words) => {
            const { feedback: _, ...rest } = option;
            onChange({ ...rest, ...optional('feedback', words) }, 'feedback');
          }}
        />
      )}
    </li>
  );
}

function Options({
  options,
  onChange,
}: {
  options: readonly Option[];
  onChange: (options: Option[], field: string) => void;
}) {
  const { list, focusRow } = useRowFocus();
  const add = (at: number) => {
    if (options.length >= PARTS_PER_QUESTION) return;
    focusRow(at);
    onChange([...options.slice(0, at), emptyOption(), ...options.slice(at)], `add:${newId()}`);
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        Отметьте верный. В списке варианты стоят по алфавиту.
      </Text>
      <Stack component="ul" ref={list} gap="xs">
        {options.map((option, index) => (
          <OptionRow
            key={option.optionId}
            option={option}
            number={index + 1}
            onChange={(next, field) =>
              onChange(
                options.map((each) => (each === option ? next : each)),
                `${field}:${option.optionId}`,
              )
            }
            onRemove={() => {
              focusRow(Math.max(0, index - 1));
              onChange(
                options.filter((each) => each !== option),
                `remove:${option.optionId}`,
              );
            }}
            onEnter={() => add(index + 1)}
          />
        ))}
      </Stack>
      <AddRow onClick={() => add(options.length)}>Добавить вариант</AddRow>
    </>
  );
}

interface GapCardProps {
  readonly gap: Gap;
  readonly isPlaced: boolean;
  readonly hasWeight: boolean;
  readonly onChange: (gap: Gap, field: string) => void;
  readonly onRemove: () => void;
}

function GapCard({ gap, isPlaced, hasWeight, onChange, onRemove }: GapCardProps) {
  const id = useId();
  const { gapId } = gap;
  return (
    <Paper withBorder p="0.25rem 0.75rem 0.75rem">
      <FieldGroup label={`Пропуск ${gapId}`}>
        <Flex gap={8} align="center" wrap="wrap" mb="xs">
          <SelectField
            label={`Что в пропуске ${gapId}`}
            labelHidden
            native
            choices={INPUTS}
            value={gap.input}
            onChange={(input) => onChange(withInput(gap, input), 'input')}
          />
          {hasWeight && (
            <NumberInput
              id={`${id}-weight`}
              label={`Вес пропуска ${gapId}`}
              value={gap.weight}
              bounds={WEIGHT}
              unit="вес"
              onChange={(weight) => onChange({ ...gap, weight }, 'weight')}
            />
          )}
          <ActionIcon ml="auto" aria-label={`Удалить пропуск ${gapId}`} onClick={onRemove}>
            <Icon of={IconTrash} />
          </ActionIcon>
        </Flex>
        {!isPlaced && (
          <Text size="sm" c="var(--app-bad-text)" mb="xs">
            В тексте нет [[{gapId}]]: впишите его на место пропуска или удалите пропуск.
          </Text>
        )}
        {gap.input === 'choice' ? (
          <Options
            options={gap.options}
            onChange={(options, field) => onChange({ ...gap, options }, field)}
          />
        ) : (
          <AcceptedList
            of={gap}
            onChange={({ accepted = gap.accepted, tolerance = gap.tolerance }, field) =>
              onChange({ ...gap, accepted, tolerance }, field)
            }
          />
        )}
      </FieldGroup>
    </Paper>
  );
}

/** Gaps with one list in common are filled from one bank of words. */
function ListNote({ isShared, onShare }: { isShared: boolean; onShare: () => void }) {
  if (isShared)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        Список у пропусков общий: ученик берёт слова из одного набора под текстом, каждое сколько
        угодно раз.
      </Text>
    );
  return (
    <Button
      variant="subtle"
      size="sm"
      m="0.25rem 0 0 -1rem"
      leftSection={<Icon of={IconListDetails} />}
      onClick={onShare}
    >
      Один список слов на все пропуски
    </Button>
  );
}

/** Adds a gap in place of the selected word, which becomes its right answer. */
function insertGap(question: Of<'gaps'>, gapId: string, at: Selection): Question {
  const { text, word } = insertGapPlace(question.text, at, gapId);
  return { ...question, text, gaps: [...question.gaps, newGap(gapId, word)] };
}

/** Removes a gap and its places in the text. */
const removeGap = (question: Of<'gaps'>, gap: Gap): Question => ({
  ...question,
  text: withGapPlaces(question.text, (gapId) => (gapId === gap.gapId ? '' : `[[${gapId}]]`)),
  gaps: question.gaps.filter((each) => each !== gap),
});

/** The gaps of the text: each is a word, a number or a list to choose from. */
export function GapsPart({
  question,
  onChange,
  problems,
  selection,
}: PartProps<'gaps'> & {
  /** Position of the caret in the question's text. */
  readonly selection: () => Selection;
}) {
  const id = useId();
  const { list, focusRow } = useRowFocus();
  const { text, gaps } = question;
  const [hasWeights, setHasWeights] = useState(gaps.some(({ weight }) => weight !== 1));
  const [isTooMany, setTooMany] = useState(false);
  const places = gapIdsIn(text);
  const change = (next: readonly Gap[], field: string) =>
    onChange({ ...question, gaps: [...next] }, field);
  const insert = () => {
    focusRow(gaps.length);
    const gapId = freeGapId(question);
    onChange(insertGap(question, gapId, selection()), `add:${gapId}`);
  };

  return (
    <section aria-labelledby={`${id}-name`}>
      <PartHead
        id={`${id}-name`}
        name="Пропуски"
        hint="Выделите в тексте слово и нажмите «Добавить пропуск»: оно станет верным ответом."
        problems={problems}
        aside={
          gaps.length > 1 && (
            <Toggle
              label="Разный вес"
              checked={hasWeights}
              onChange={(wanted) => {
                setHasWeights(wanted);
                if (!wanted)
                  change(
                    gaps.map((gap) => ({ ...gap, weight: 1 })),
                    'weights',
                  );
              }}
            />
          )
        }
      />
      <Stack component="ul" ref={list} gap="xs">
        {gaps.map((gap) => (
          <li key={gap.gapId}>
            <GapCard
              gap={gap}
              isPlaced={places.includes(gap.gapId)}
              hasWeight={hasWeights}
              onChange={(next, field) =>
                change(
                  gaps.map((each) => (each === gap ? next : each)),
                  `${gap.gapId}:${field}`,
                )
              }
              onRemove={() => onChange(removeGap(question, gap), `remove:${gap.gapId}`)}
            />
          </li>
        ))}
      </Stack>
      {gaps.filter(({ input }) => input === 'choice').length > 1 && (
        <ListNote
          isShared={sharedWords(gaps).length > 0}
          onShare={() => {
            const shared = withSharedWords(gaps, newId);
            setTooMany(shared === null);
            if (shared) change(shared, 'share');
          }}
        />
      )}
      {isTooMany && (
        <Text size="sm" role="alert" c="var(--app-bad-text)" mt="xs">
          Вместе получается больше {PARTS_PER_QUESTION} слов: уберите лишние из списков.
        </Text>
      )}
      {gaps.length < PARTS_PER_QUESTION && (
        // Preserves the selection in the text.
        <AddRow onMouseDown={(event) => event.preventDefault()} onClick={insert}>
          Добавить пропуск
        </AddRow>
      )}
    </section>
  );
}
