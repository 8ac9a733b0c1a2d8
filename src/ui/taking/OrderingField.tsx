import { ActionIcon, Box, Button, Flex, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
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

/** The order shown: a move is shown at once, its answer is stored a moment later. */
function useShownOrder(given: readonly string[]) {
  const givenKey = JSON.stringify(given);
  const [known, setKnown] = useState(givenKey);
  const [ids, setIds] = useState(given);
  if (known !== givenKey) {
    setKnown(givenKey);
    setIds(given);
  }
  return [ids, setIds] as const;
}

/** Returns a function that lets the button of a moved row have the focus after the move. */
function useFocusAfterMove(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const focused = useRef<{ itemId: string; direction: Direction } | null>(null);
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
  return (itemId: string, direction: Direction) => {
    focused.current = { itemId, direction };
  };
}

/** The buttons that move a row up and down. */
function MoveButtons({
  textId,
  index,
  count,
  onMove,
}: {
  /** Id of the element with the item's text. */
  textId: string;
  index: number;
  count: number;
  onMove: (to: number, direction: Direction) => void;
}) {
  const button = (direction: Direction, to: number) => (
    <ActionIcon
      id={`${textId}-${direction}`}
      data-direction={direction}
      aria-label={direction === 'up' ? 'Выше' : 'Ниже'}
      aria-labelledby={`${textId}-${direction} ${textId}`}
      disabled={to < 0 || to >= count}
      onClick={() => onMove(to, direction)}
    >
      <Icon of={direction === 'up' ? IconArrowUp : IconArrowDown} />
    </ActionIcon>
  );
  return (
    <Flex gap={4} ms="auto">
      {button('up', index - 1)}
      {button('down', index + 1)}
    </Flex>
  );
}

/** Answers with the order shown, or removes the answer. */
function OrderAction({
  isAnswered,
  onKeep,
  onReset,
}: {
  isAnswered: boolean;
  onKeep: () => void;
  onReset: () => void;
}) {
  return isAnswered ? (
    <Box mt={4}>
      <QuietButton onClick={onReset}>Сбросить порядок</QuietButton>
    </Box>
  ) : (
    <Button variant="default" mt="sm" onClick={onKeep}>
      Оставить так
    </Button>
  );
}

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
  const [ids, setIds] = useShownOrder(given);
  const [spoken, setSpoken] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const focusAfterMove = useFocusAfterMove(list, ids);
  const isAnswered = order.length > 0;

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
                      <MoveButtons
                        textId={textIdOf(itemId)}
                        index={index}
                        count={ids.length}
                        onMove={(to, direction) => {
                          focusAfterMove(itemId, direction);
                          move(index, to);
                        }}
                      />
                    )}
                  </>
                )}
              </SortableRow>
            );
          })}
        </Box>
      </SortableList>
      {!locked && <OrderAction isAnswered={isAnswered} onKeep={keep} onReset={reset} />}
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </div>
  );
}
