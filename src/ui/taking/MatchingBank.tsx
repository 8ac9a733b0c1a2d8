import { Box, Flex, Stack, Text } from '@mantine/core';
import {
  useId,
  useLayoutEffect,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { letterOf } from '#domain/format.ts';
import parts from './parts.module.css';
import classes from './MatchingBank.module.css';
import { cx } from '#app/ui/cx.ts';
import { useShortcuts } from '#app/ui/shortcuts.ts';
import { indexOfKey, type LeftItem, type Pair, type RightItem } from './matching.ts';

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

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

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
  const firstUnused = right.findIndex(
    ({ rightId }) => !pairs.some((pair) => pair.rightId === rightId),
  );
  const [place, setPlace] = useState({ at: 0, activeIndex });
  if (place.activeIndex !== activeIndex) {
    setPlace({ at: Math.max(0, chosenIndex >= 0 ? chosenIndex : firstUnused), activeIndex });
  }
  const { isOn } = useShortcuts();
  const { at } = place;
  const setAt = (next: number) => setPlace({ at: next, activeIndex });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const letter = !isOn
      ? -1
      : indexOfKey({ key: event.key, code: event.nativeEvent.code }, right.length);
    if (step !== undefined) setAt((at + step + right.length) % right.length);
    else if (event.key === 'Home') setAt(0);
    else if (event.key === 'End') setAt(right.length - 1);
    else if (event.key === 'Enter' || event.key === ' ') onChoose(at);
    else if (event.key === 'Delete' || event.key === 'Backspace') onClear();
    else if (event.key === 'Escape') onClose();
    else if (letter >= 0) onChoose(letter);
    else return;
    event.preventDefault();
    event.stopPropagation();
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
          onKeyDown={onKeyDown}
        >
          {right.map((item, index) => {
            const users = left.flatMap(({ leftId }) =>
              pairs.some((pair) => pair.leftId === leftId && pair.rightId === item.rightId)
                ? [leftId]
                : [],
            );
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the listbox takes the keys
              <Flex
                key={item.rightId}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                align="center"
                gap="0.625rem"
                mih={48}
                p="0.375rem 0.625rem"
                lh={1.3}
                className={OPTION}
                aria-selected={item.rightId === chosenId}
                data-used={(!reuse && users.length > 0) || undefined}
                data-at={(open && index === at) || undefined}
                onMouseDown={(event) => event.preventDefault()}
                // Touch has no Delete: another tap removes the choice.
                onClick={() => (index === chosenIndex ? onClear() : onChoose(index))}
              >
                <span className={parts.letter}>{letterOf(index)}</span>
                <Stack component="span" gap={0} miw={0}>
                  <span data-text="">{renderText(item.text)}</span>
                  {users.length > 0 && (
                    <Text span inherit fz="xs" c="dimmed">
                      {renderUsers(users)}
                    </Text>
                  )}
                </Stack>
              </Flex>
            );
          })}
        </div>
      </div>
      <Box h={space} display={{ sm: 'none' }} className={classes.space} />
    </>
  );
}
