import { Box, Flex, Stack, Text } from '@mantine/core';
import { useId, useLayoutEffect, useState, type ReactNode, type RefObject } from 'react';
import { letterOf } from '#domain/format.ts';
import parts from './parts.module.css';
import classes from './MatchingBank.module.css';
import { cx } from '#app/ui/cx.ts';
import type { LeftItem, Pair, RightItem } from './matching.ts';
import { useBankKeys } from './use-bank-keys.ts';

export interface MatchingBankProps {
  id: string;
  ref: RefObject<HTMLDivElement | null>;
  left: readonly LeftItem[];
  right: readonly RightItem[];
  pairs: readonly Pair[];
  /** Whether a used right item stays available. */
  reuse: boolean;
  /** Index of the left item that waits for its pair, −1 for none. */
  activeIndex: number;
  activeItem: LeftItem | undefined;
  /** The current prompt. */
  title: ReactNode;
  /** Lists the left items that a right one is used for. */
  renderUsers: (leftIds: readonly string[]) => ReactNode;
  short: boolean;
  /** Draws an item's text without anything to open or to play. */
  renderText: (text: string) => ReactNode;
  onChoose: (index: number) => void;
  onClear: () => void;
  onClose: () => void;
}

const OPTION = cx(parts.card, classes.option);

/** Measures the bank over the bar, to reserve its height at the foot of the page while it is open. */
function useSpace(ref: RefObject<HTMLDivElement | null>, open: boolean): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const box = ref.current?.parentElement;
    if (!open || !box) return;
    const measure = () => setHeight(box.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [ref, open]);
  return open ? height : 0;
}

/** One right item and the left items that it is used for. */
function BankOption({
  id,
  letter,
  text,
  users,
  renderUsers,
  reuse,
  isChosen,
  isAt,
  onTap,
}: Pick<MatchingBankProps, 'renderUsers' | 'reuse'> & {
  id: string;
  letter: string;
  text: ReactNode;
  users: readonly string[];
  /** Whether it is the choice of the left item that waits for its pair. */
  isChosen: boolean;
  /** Whether Enter would choose it. */
  isAt: boolean;
  onTap: () => void;
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the listbox takes the keys
    <Flex
      id={id}
      role="option"
      tabIndex={-1}
      align="center"
      gap="0.625rem"
      mih={48}
      p="0.375rem 0.625rem"
      lh={1.3}
      className={OPTION}
      aria-selected={isChosen}
      data-used={(!reuse && users.length > 0) || undefined}
      data-at={isAt || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTap}
    >
      <span className={parts.letter}>{letter}</span>
      <Stack component="span" gap={0} miw={0}>
        <span data-text="">{text}</span>
        {users.length > 0 && (
          <Text span inherit fz="xs" c="dimmed">
            {renderUsers(users)}
          </Text>
        )}
      </Stack>
    </Flex>
  );
}

/** The right items: a listbox over the bar on phones, in the page from 640 px. */
export function MatchingBank({
  id,
  ref,
  left,
  right,
  pairs,
  reuse,
  activeIndex,
  activeItem,
  title,
  renderUsers,
  short,
  renderText,
  onChoose,
  onClear,
  onClose,
}: MatchingBankProps) {
  const titleId = useId();
  const open = activeItem !== undefined;
  const space = useSpace(ref, open);
  const chosenId = pairs.find((pair) => pair.leftId === activeItem?.leftId)?.rightId;
  const chosenIndex = right.findIndex((item) => item.rightId === chosenId);
  const users = ({ rightId }: RightItem) =>
    left.flatMap(({ leftId }) =>
      pairs.some((pair) => pair.leftId === leftId && pair.rightId === rightId) ? [leftId] : [],
    );
  const firstUnused = right.findIndex(
    ({ rightId }) => !pairs.some((pair) => pair.rightId === rightId),
  );
  const [place, setPlace] = useState({ at: 0, activeIndex });
  if (place.activeIndex !== activeIndex) {
    setPlace({ at: Math.max(0, chosenIndex >= 0 ? chosenIndex : firstUnused), activeIndex });
  }
  const handleKey = useBankKeys(right.length);
  const { at } = place;
  const setAt = (next: number) => setPlace({ at: next, activeIndex });

  const stepBy = (step: number) => () => setAt((at + step + right.length) % right.length);
  const choose = () => onChoose(at);
  const actions = {
    ArrowDown: stepBy(1),
    ArrowRight: stepBy(1),
    ArrowUp: stepBy(-1),
    ArrowLeft: stepBy(-1),
    Home: () => setAt(0),
    End: () => setAt(right.length - 1),
    Enter: choose,
    ' ': choose,
    Delete: onClear,
    Backspace: onClear,
    Escape: onClose,
  };

  return (
    <>
      <div className={classes.bank} data-open={open || undefined}>
        <Text id={titleId} className={classes.title} mx={4} mb="xs" size="sm" c="dimmed">
          {title}
        </Text>
        <div
          id={id}
          ref={ref}
          role="listbox"
          tabIndex={open ? 0 : -1}
          className={classes.list}
          data-short={short || undefined}
          aria-labelledby={titleId}
          aria-disabled={!open || undefined}
          aria-activedescendant={open ? `${id}-${at}` : undefined}
          onKeyDown={(event) => handleKey(event, actions, onChoose)}
        >
          {right.map((item, index) => {
            const isChosen = index === chosenIndex;
            return (
              <BankOption
                key={item.rightId}
                id={`${id}-${index}`}
                letter={letterOf(index)}
                text={renderText(item.text)}
                users={users(item)}
                renderUsers={renderUsers}
                reuse={reuse}
                isChosen={isChosen}
                isAt={open && index === at}
                // Touch has no Delete: another tap removes the choice.
                onTap={() => (isChosen ? onClear() : onChoose(index))}
              />
            );
          })}
        </div>
      </div>
      <Box h={space} display={{ sm: 'none' }} className={classes.space} />
    </>
  );
}
