import { ActionIcon, Box, Button, Flex, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { moved } from '#app/ui/sorting/moved.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SortableList, SortableRow } from '#app/ui/sorting/SortableList.tsx';
import { nameMedia } from './media-names.ts';
import parts from './parts.module.css';
import classes from './OrderingField.module.css';
import { cx } from '#app/ui/cx.ts';
import { spokenTextOf } from '#app/ui/spoken-text.ts';

export interface OrderingItem {
  itemId: string;
  text: string;
}

export interface OrderingFieldProps {
  /** In the order shown before the first answer. */
  items: readonly OrderingItem[];
  /** Ids in the order answered; empty: no answer. */
  order: readonly string[];
  onChange: (itemIds: string[]) => void;
  /** Id of the question's text. */
  labelledBy: string;
  locked?: boolean;
  /** Draws an item's text, with formulas. */
  renderText?: (text: string) => ReactNode;
}

type Direction = 'up' | 'down';

const GAP = { gap: '0.5rem' };
const ITEM = cx(parts.card, classes.item);

const asTyped = (text: string) => text;

/**
 * Items to sort by buttons, keyboard or dragging. The first order shown may be right, so a person can confirm it
 * unchanged.
 */
export function OrderingField({
  items,
  order,
  onChange,
  labelledBy,
  locked = false,
  renderText = asTyped,
}: OrderingFieldProps) {
  const id = useId();
  const given = order.length > 0 ? order : items.map(({ itemId }) => itemId);
  const givenKey = JSON.stringify(given);
  // The answer is stored a moment after the move, but the move is shown at once.
  const [known, setKnown] = useState(givenKey);
  const [ids, setIds] = useState(given);
  if (known !== givenKey) {
    setKnown(givenKey);
    setIds(given);
  }
  const [spoken, setSpoken] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const focused = useRef<{ itemId: string; direction: Direction } | null>(null);
  const isAnswered = order.length > 0;

  useLayoutEffect(() => {
    // A row that changes its position in the document loses the focus.
    const { itemId, direction } = focused.current ?? {};
    focused.current = null;
    if (itemId === undefined) return;
    const row = list.current?.children[ids.indexOf(itemId)];
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('button[data-direction]') ?? [])];
    const own = buttons.find((button) => button.dataset['direction'] === direction);
    (own?.disabled ? buttons.find(({ disabled }) => !disabled) : own)?.focus();
  });

  // The button disappears and loses the focus. The focus moves to the list, where a second Enter moves no item.
  const say = (words: string) => setSpoken((last) => (last === words ? `${words}\u00a0` : words));
  const keep = () => {
    // The button disappears with the focus. A second Enter must move no item at the new focus.
    group.current?.focus();
    say('Порядок оставлен как есть');
    onChange([...ids]);
  };
  // An item's own id may contain spaces, which are not allowed in a list of ids.
  const textIdOf = (itemId: string) => `${id}-${items.findIndex((item) => item.itemId === itemId)}`;
  // As drawn, with formulas as spoken text.
  const wordsOf = (itemId: string) =>
    spokenTextOf(document.getElementById(textIdOf(itemId))) || `пункт ${ids.indexOf(itemId) + 1}`;
  const reset = () => {
    const own = items.map(({ itemId }) => itemId);
    group.current?.focus();
    setIds(own);
    say('Порядок сброшен: вопрос без ответа');
    onChange([]);
  };
  const move = (from: number, to: number) => {
    const next = moved(ids, from, to);
    setIds(next);
    say(`${wordsOf(ids[from] ?? '')}: место ${to + 1} из ${ids.length}`);
    onChange(next);
  };
  const button = (itemId: string, index: number, direction: Direction) => {
    const to = direction === 'up' ? index - 1 : index + 1;
    const textId = textIdOf(itemId);
    return (
      <ActionIcon
        id={`${textId}-${direction}`}
        data-direction={direction}
        aria-label={direction === 'up' ? 'Выше' : 'Ниже'}
        aria-labelledby={`${textId}-${direction} ${textId}`}
        disabled={to < 0 || to >= ids.length}
        onClick={() => {
          focused.current = { itemId, direction };
          move(index, to);
        }}
      >
        <Icon of={direction === 'up' ? IconArrowUp : IconArrowDown} />
      </ActionIcon>
    );
  };

  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={labelledBy}
      aria-describedby={`${id}-hint`}
    >
      <Text id={`${id}-hint`} mb="xs" size="sm" c="dimmed">
        {isAnswered || locked ? 'Порядок сверху вниз' : 'Расставьте по порядку сверху вниз'}
      </Text>
      <SortableList ids={ids} nameOf={wordsOf} onMove={move}>
        <Box component="ol" ref={list} display="grid" style={GAP}>
          {ids.map((itemId, index) => {
            const place = items.findIndex((item) => item.itemId === itemId);
            const text = nameMedia(items[place]?.text ?? '', place + 1);
            return (
              <SortableRow
                key={itemId}
                id={itemId}
                handleLabel={`Переставить пункт ${index + 1}`}
                className={cx(ITEM, isAnswered && parts.chosen)}
              >
                {(handle) => (
                  <>
                    {!locked && handle}
                    <Text span inherit miw="1.25rem" className={parts.number}>
                      {index + 1}
                    </Text>
                    <Box component="span" id={textIdOf(itemId)} flex="1 1 5rem" maw="100%" py="xs">
                      {renderText(text)}
                    </Box>
                    {!locked && (
                      <Flex gap={4} ms="auto">
                        {button(itemId, index, 'up')}
                        {button(itemId, index, 'down')}
                      </Flex>
                    )}
                  </>
                )}
              </SortableRow>
            );
          })}
        </Box>
      </SortableList>
      {!locked && !isAnswered && (
        <Button variant="default" mt="sm" onClick={keep}>
          Оставить так
        </Button>
      )}
      {!locked && isAnswered && (
        <Box mt={4}>
          <QuietButton onClick={reset}>Сбросить порядок</QuietButton>
        </Box>
      )}
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </div>
  );
}
