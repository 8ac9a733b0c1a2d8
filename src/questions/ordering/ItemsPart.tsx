import { ActionIcon, Box, Flex, Stack, Text } from '@mantine/core';
import { IconMathFunction, IconPhoto, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { moveActions } from '#app/ui/sorting/move-actions.ts';
import { moved } from '#app/ui/sorting/moved.ts';
import { newId } from '#app/lib/new-id.ts';
import { cx } from '#app/ui/cx.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { SortableList, SortableRow } from '#app/ui/sorting/SortableList.tsx';
import { LineField } from '#app/questions/form/LineField.tsx';
import { AddRow } from '#app/questions/form/AddRow.tsx';
import { PartHead } from '#app/questions/form/PartHead.tsx';
import type { Of, PartProps } from '#app/questions/form/parts.ts';
import classes from '#app/questions/form/QuestionForm.module.css';
import { useRichText } from '#app/questions/form/use-rich-text.tsx';
import { usePastedLines } from '#app/questions/form/use-pasted-lines.tsx';
import { useRowFocus } from '#app/questions/form/use-row-focus.ts';

type Item = Of<'ordering'>['items'][number];

interface ItemRowProps {
  readonly item: Item;
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly onText: (text: string) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  readonly onEnter: () => void;
  readonly onLines: (lines: readonly string[]) => void;
}

function ItemRow({ item, index, count, onMove, ...on }: ItemRowProps) {
  const rich = useRichText({ multiline: false });
  const number = index + 1;
  const actions = [
    ...moveActions(index, count, onMove),
    { icon: IconMathFunction, label: 'Формула', onClick: () => rich.run('formula') },
    { icon: IconPhoto, label: 'Картинка', onClick: () => rich.run('picture') },
  ];
  return (
    <SortableRow
      id={item.itemId}
      handleLabel={`Переставить пункт ${number}`}
      handleClassName={cx('focus-inside', classes.handle)}
      className={classes.item}
    >
      {(handle) => (
        <>
          {handle}
          <Box className={classes.text}>
            <LineField
              label={`Пункт ${number}`}
              value={item.text}
              placeholder={`Пункт ${number}`}
              rich={rich}
              onChange={on.onText}
              onEnter={on.onEnter}
              onErase={() => count > 1 && on.onRemove()}
              onLines={on.onLines}
            />
          </Box>
          <Flex className={classes.buttons} align="center" h="var(--app-input)">
            <RowMenu label={`Действия с пунктом ${number}`} actions={actions} />
            <ActionIcon aria-label={`Удалить пункт ${number}`} onClick={on.onRemove}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </Flex>
        </>
      )}
    </SortableRow>
  );
}

/** Items of an ordering question in their right order. */
export function ItemsPart({ question, onChange, problems }: PartProps<'ordering'>) {
  const id = useId();
  const { list, focusRow } = useRowFocus();
  const { items } = question;
  const pasted = usePastedLines(items);
  const change = (next: readonly Item[], field: string) =>
    onChange({ ...question, items: next.slice(0, PARTS_PER_QUESTION) }, field);
  const insert = (at: number) => {
    const added = { itemId: newId(), text: '' };
    focusRow(at);
    change([...items.slice(0, at), added, ...items.slice(at)], `add:${added.itemId}`);
  };
  const remove = (index: number) => {
    focusRow(Math.max(0, index < items.length - 1 ? index : index - 1));
    change(
      items.filter((_, at) => at !== index),
      `remove:${items[index]?.itemId}`,
    );
  };
  const move = (from: number, to: number) => change(moved(items, from, to), `move:${newId()}`);
  /** A pasted list: its lines fill empty rows from this one on, the others follow. */
  const onLines = (index: number, lines: readonly string[]) => {
    const rest = [...lines];
    const filled = items.map((item, at) =>
      at >= index && item.text === '' && rest.length > 0
        ? { ...item, text: rest.shift() ?? '' }
        : item,
    );
    const next = [...filled, ...rest.map((text) => ({ itemId: newId(), text }))];
    change(pasted.fitted(next, lines.length), `lines:${newId()}`);
  };
  const isFull = items.length >= PARTS_PER_QUESTION;

  return (
    <section aria-labelledby={`${id}-name`}>
      <PartHead id={`${id}-name`} name="Пункты по порядку" problems={problems} />
      <Text size="sm" c="dimmed" mb="xs">
        Запишите пункты в правильном порядке. Ученикам они показываются перемешанными.
      </Text>
      <SortableList
        ids={items.map(({ itemId }) => itemId)}
        nameOf={(itemId) => `пункт ${items.findIndex((item) => item.itemId === itemId) + 1}`}
        onMove={move}
      >
        <Stack component="ul" ref={list} gap="xs">
          {items.map((item, index) => (
            <ItemRow
              key={item.itemId}
              item={item}
              index={index}
              count={items.length}
              onText={(text) =>
                change(
                  items.map((one) => (one.itemId === item.itemId ? { ...one, text } : one)),
                  `item:${item.itemId}`,
                )
              }
              onMove={(to) => move(index, to)}
              onRemove={() => remove(index)}
              onEnter={() =>
                items[index + 1]?.text === '' ? focusRow(index + 1) : !isFull && insert(index + 1)
              }
              onLines={(lines) => onLines(index, lines)}
            />
          ))}
        </Stack>
      </SortableList>
      {isFull ? (
        <Text size="sm" c="dimmed">
          Больше {PARTS_PER_QUESTION} пунктов в вопросе не бывает.
        </Text>
      ) : (
        <AddRow isInset onClick={() => insert(items.length)}>
          Добавить пункт
        </AddRow>
      )}
      {pasted.note}
    </section>
  );
}
