import { Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { moved } from '#app/ui/sorting/moved.ts';
import { newId } from '#app/lib/new-id.ts';
import { AreasPart } from './AreasPart.tsx';
import { OptionRow } from './OptionRow.tsx';
import { emptyOption, withFeedback, withLines, withRight, type Option } from './option-edits.ts';
import { AddRow } from '#app/questions/form/AddRow.tsx';
import { PartHead, ScoringChoice, Toggle } from '#app/questions/form/PartHead.tsx';
import type { Of, PartProps } from '#app/questions/form/parts.ts';
import { SortableList } from '#app/ui/sorting/SortableList.tsx';
import { usePastedLines } from '#app/questions/form/use-pasted-lines.tsx';
import { useRowFocus } from '#app/questions/form/use-row-focus.ts';

/** The list of options, with a row to add one. */
function OptionRows({
  question,
  onOptions: change,
}: {
  question: Of<'variant'>;
  onOptions: (options: readonly Option[], field: string) => void;
}) {
  const { list, focusRow } = useRowFocus();
  const { options, multiple } = question;
  const pasted = usePastedLines(options);
  const edit = (optionId: string, part: Partial<Option>, field: string) =>
    change(
      options.map((option) => (option.optionId === optionId ? { ...option, ...part } : option)),
      `${field}:${optionId}`,
    );
  const insert = (at: number, added: readonly Option[]) => {
    const room = PARTS_PER_QUESTION - options.length;
    const fresh = added.slice(0, room);
    const last = fresh.at(-1);
    if (!last) return;
    focusRow(at + fresh.length - 1);
    change([...options.slice(0, at), ...fresh, ...options.slice(at)], `add:${last.optionId}`);
  };
  const remove = (index: number, focus: number) => {
    focusRow(focus);
    change(
      options.filter((_, at) => at !== index),
      `remove:${options[index]?.optionId}`,
    );
  };
  const onRight = (optionId: string, isRight: boolean) =>
    change(withRight(question, optionId, isRight), `right:${optionId}`);
  const onFeedback = (optionId: string, text: string) =>
    change(withFeedback(options, optionId, text), `feedback:${optionId}`);
  const onLines = (index: number, lines: readonly string[]) =>
    change(pasted.fitted(withLines(options, index, lines), lines.length), `lines:${newId()}`);
  const onEnter = (index: number) => {
    const next = options[index + 1];
    if (next && next.text === '') focusRow(index + 1);
    else insert(index + 1, [emptyOption()]);
  };
  const nameOf = (optionId: string) =>
    `вариант ${options.findIndex((option) => option.optionId === optionId) + 1}`;

  return (
    <>
      <SortableList
        ids={options.map(({ optionId }) => optionId)}
        nameOf={nameOf}
        onMove={(from, to) => change(moved(options, from, to), `move:${newId()}`)}
      >
        <Stack component="ul" ref={list} gap="xs">
          {options.map((option, index) => {
            const { optionId } = option;
            return (
              <OptionRow
                key={optionId}
                option={option}
                index={index}
                count={options.length}
                multiple={multiple}
                onText={(text) => edit(optionId, { text }, 'option')}
                onRight={(isRight) => onRight(optionId, isRight)}
                onFeedback={(text) => onFeedback(optionId, text)}
                onMove={(to) => change(moved(options, index, to), `move:${newId()}`)}
                onRemove={() => remove(index, index < options.length - 1 ? index : index - 1)}
                onEnter={() => onEnter(index)}
                onErase={() => options.length > 1 && remove(index, Math.max(0, index - 1))}
                onLines={(lines) => onLines(index, lines)}
              />
            );
          })}
        </Stack>
      </SortableList>
      {options.length < PARTS_PER_QUESTION ? (
        <AddRow isInset onClick={() => insert(options.length, [emptyOption()])}>
          Добавить вариант
        </AddRow>
      ) : (
        <Text size="sm" c="dimmed">
          Больше {PARTS_PER_QUESTION} вариантов в вопросе не бывает.
        </Text>
      )}
      {pasted.note}
    </>
  );
}

/** Options of a question with one or several right answers. */
export function OptionsPart({ question, onChange, problems }: PartProps<'variant'>) {
  const id = useId();
  const onOptions = (options: readonly Option[], field: string) =>
    onChange({ ...question, options: [...options] }, field);

  return (
    <section aria-labelledby={`${id}-name`}>
      <PartHead
        id={`${id}-name`}
        name="Варианты ответа"
        problems={problems}
        aside={
          <Toggle
            label="Перемешивать"
            checked={question.shuffle}
            onChange={(shuffle) => onChange({ ...question, shuffle }, 'shuffle')}
          />
        }
      />
      <OptionRows question={question} onOptions={onOptions} />
      <AreasPart question={question} onOptions={onOptions} />
      {question.multiple && (
        <ScoringChoice
          value={question.scoring}
          onChange={(scoring) => onChange({ ...question, scoring }, 'scoring')}
        />
      )}
    </section>
  );
}
