import { ActionIcon, Box, Flex, Group, Stack } from '@mantine/core';
import { IconMathFunction, IconPhoto, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { newId } from '#app/lib/new-id.ts';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import { cx } from '#app/ui/cx.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { LineField } from '#app/questions/form/LineField.tsx';
import {
  addExtra,
  addPair,
  extraItems,
  movePair,
  pairRows,
  pairUp,
  removePair,
  removeRight,
  shareableFor,
  shareRight,
  withLeft,
  withReuse,
  withRight,
  type PairRow,
} from './pairs.ts';
import { AddRow } from '#app/questions/form/AddRow.tsx';
import { PartHead, Toggle } from '#app/questions/form/PartHead.tsx';
import type { PartProps } from '#app/questions/form/parts.ts';
import classes from '#app/questions/form/QuestionForm.module.css';
import { moveActions } from '#app/ui/sorting/move-actions.ts';
import { SortableList, SortableRow } from '#app/ui/sorting/SortableList.tsx';
import { useRichText, type RichText } from '#app/questions/form/use-rich-text.tsx';
import { useRowFocus } from '#app/questions/form/use-row-focus.ts';

const insertions = (left: RichText, right: RichText) => [
  { icon: IconMathFunction, label: 'Формула слева', onClick: () => left.run('formula') },
  { icon: IconMathFunction, label: 'Формула справа', onClick: () => right.run('formula') },
  { icon: IconPhoto, label: 'Картинка слева', onClick: () => left.run('picture') },
  { icon: IconPhoto, label: 'Картинка справа', onClick: () => right.run('picture') },
];

function Pair({
  row,
  index,
  count,
  shareable,
  onLeft,
  onRight,
  onShare,
  onMove,
  onRemove,
  onEnter,
}: {
  row: PairRow;
  index: number;
  count: number;
  /** Right items that may also belong to this one; empty: it has its own. */
  shareable: readonly Choice[];
  onLeft: (text: string) => void;
  onRight: (text: string) => void;
  /** Null: it has its own right item. */
  onShare: (rightId: string | null) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
  onEnter: () => void;
}) {
  const left = useRichText({ multiline: false });
  const right = useRichText({ multiline: false });
  const number = index + 1;
  return (
    <SortableRow
      id={row.left.id}
      handleLabel={`Переставить пару ${number}`}
      handleClassName={cx('focus-inside', classes.handle)}
      className={classes.item}
    >
      {(handle) => (
        <>
          {handle}
          <div className={cx(classes.text, classes.sides)}>
            <Box miw={0}>
              <LineField
                label={`Слева ${number}`}
                placeholder="Слева"
                value={row.left.text}
                rich={left}
                onChange={onLeft}
                onEnter={() => right.field.current?.focus()}
              />
            </Box>
            <span className={classes.dash} aria-hidden>
              –
            </span>
            <Box miw={0}>
              <LineField
                label={`Справа ${number}`}
                placeholder="Справа"
                value={row.right?.text ?? ''}
                rich={right}
                onChange={onRight}
                onEnter={onEnter}
              />
              {shareable.length > 0 && (
                <Box mt={4}>
                  <SelectField
                    label={`Элемент справа в паре ${number}`}
                    labelHidden
                    native
                    choices={[{ value: '', label: 'Свой' }, ...shareable]}
                    value={row.sharedWith.length > 0 ? (row.right?.id ?? '') : ''}
                    onChange={(rightId) => onShare(rightId === '' ? null : rightId)}
                  />
                </Box>
              )}
            </Box>
          </div>
          <Flex className={classes.buttons} align="center" h="var(--app-input)">
            <RowMenu
              label={`Действия с парой ${number}`}
              actions={[...moveActions(index, count, onMove), ...insertions(left, right)]}
            />
            <ActionIcon aria-label={`Удалить пару ${number}`} onClick={onRemove}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </Flex>
        </>
      )}
    </SortableRow>
  );
}

function Extra({
  number,
  text,
  onText,
  onRemove,
  onEnter,
}: {
  number: number;
  text: string;
  onText: (text: string) => void;
  onRemove: () => void;
  onEnter: () => void;
}) {
  const rich = useRichText({ multiline: false });
  return (
    <Flex component="li" align="flex-start" gap={4}>
      <Box flex={1} miw={0}>
        <LineField
          label={`Лишний справа ${number}`}
          placeholder="Подходит ни к чему"
          value={text}
          rich={rich}
          onChange={onText}
          onEnter={onEnter}
          onErase={onRemove}
        />
      </Box>
      <ActionIcon aria-label={`Удалить лишний ${number}`} onClick={onRemove}>
        <Icon of={IconTrash} />
      </ActionIcon>
    </Flex>
  );
}

/** Pairs side by side. */
function Pairs({ question, onChange, problems }: PartProps<'compliance'>) {
  const id = useId();
  const { list, focusRow } = useRowFocus();
  const rows = pairRows(question);
  const add = () => {
    if (question.left.length >= PARTS_PER_QUESTION || question.right.length >= PARTS_PER_QUESTION)
      return;
    focusRow(rows.length);
    onChange(addPair(question, newId(), newId()), `add:${newId()}`);
  };
  const onRight = ({ left, right }: PairRow, text: string) =>
    right
      ? onChange(withRight(question, right.id, text), `right:${right.id}`)
      : onChange(pairUp(question, left.id, newId(), text), `right:${left.id}`);
  return (
    <section aria-labelledby={`${id}-name`}>
      <PartHead
        id={`${id}-name`}
        name="Верные пары"
        problems={problems}
        aside={
          <Group gap="0 1rem">
            <Toggle
              label="Правые могут повторяться"
              checked={question.reuse === true}
              onChange={(reuse) => onChange(withReuse(question, reuse), 'reuse')}
            />
            <Toggle
              label="Перемешивать"
              checked={question.shuffle}
              onChange={(shuffle) => onChange({ ...question, shuffle }, 'shuffle')}
            />
          </Group>
        }
      />
      <SortableList
        ids={rows.map(({ left }) => left.id)}
        nameOf={(leftId) => `пара ${rows.findIndex(({ left }) => left.id === leftId) + 1}`}
        onMove={(from, to) => onChange(movePair(question, from, to), `move:${newId()}`)}
      >
        <Stack component="ul" ref={list} gap="xs">
          {rows.map((row, index) => (
            <Pair
              key={row.left.id}
              row={row}
              index={index}
              count={rows.length}
              shareable={
                question.reuse || row.sharedWith.length > 0 ? shareableFor(row, question) : []
              }
              onLeft={(text) =>
                onChange(withLeft(question, row.left.id, text), `left:${row.left.id}`)
              }
              onRight={(text) => onRight(row, text)}
              onShare={(rightId) =>
                onChange(
                  rightId === null
                    ? pairUp(question, row.left.id, newId(), '')
                    : shareRight(question, row.left.id, rightId),
                  `share:${newId()}`,
                )
              }
              onMove={(to) => onChange(movePair(question, index, to), `move:${newId()}`)}
              onRemove={() => {
                focusRow(Math.max(0, index - 1));
                onChange(removePair(question, row.left.id), `remove:${row.left.id}`);
              }}
              onEnter={() => (index === rows.length - 1 ? add() : focusRow(index + 1))}
            />
          ))}
        </Stack>
      </SortableList>
      <AddRow onClick={add}>Добавить пару</AddRow>
    </section>
  );
}

/** Right items without a pair. */
function Extras({ question, onChange }: Omit<PartProps<'compliance'>, 'problems'>) {
  const id = useId();
  const { list, focusRow } = useRowFocus();
  const extras = extraItems(question);
  const add = () => {
    if (question.right.length >= PARTS_PER_QUESTION) return;
    focusRow(extras.length);
    onChange(addExtra(question, newId()), `add:${newId()}`);
  };
  return (
    <section aria-labelledby={`${id}-name`}>
      <PartHead
        id={`${id}-name`}
        name="Лишние справа"
        hint="Не подходят ни к чему слева: с ними труднее угадать."
        problems={[]}
      />
      {extras.length > 0 && (
        <Stack component="ul" ref={list} gap="xs">
          {extras.map(({ id: rightId, text }, index) => (
            <Extra
              key={rightId}
              number={index + 1}
              text={text}
              onText={(words) => onChange(withRight(question, rightId, words), `right:${rightId}`)}
              onRemove={() => {
                focusRow(Math.max(0, index - 1));
                onChange(removeRight(question, rightId), `remove:${rightId}`);
              }}
              onEnter={add}
            />
          ))}
        </Stack>
      )}
      <AddRow onClick={add}>Добавить лишний</AddRow>
    </section>
  );
}

/** Pairs side by side, and extra right items without a pair. */
export function PairsPart(props: PartProps<'compliance'>) {
  return (
    <>
      <Pairs {...props} />
      <Extras question={props.question} onChange={props.onChange} />
    </>
  );
}
