import { Box, Flex, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconLink } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { letterOf } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { MatchingBank } from './MatchingBank.tsx';
import { nameMedia } from './media-names.ts';
import parts from './parts.module.css';
import classes from './MatchingField.module.css';
import { cx } from '#app/ui/cx.ts';
import { spokenTextOf } from '#app/ui/spoken-text.ts';
import { allShort, mediaOf, type LeftItem, type Pair, type RightItem } from './matching.ts';
import { useBank } from './use-bank.ts';

export interface MatchingFieldProps {
  left: readonly LeftItem[];
  right: readonly RightItem[];
  pairs: readonly Pair[];
  /** Whether one right item may be chosen for several left ones. */
  reuse?: boolean | undefined;
  onChange: (pairs: Pair[]) => void;
  /** Id of the question's text. */
  labelledBy: string;
  locked?: boolean;
  /** Draws an item's text, with formulas; `still`: within a button, without anything to open or to play. */
  renderText?: (text: string, still?: boolean) => ReactNode;
}

const ITEM = cx(parts.card, classes.item);

const IN_LINE = { wrap: 'wrap', align: 'center' } as const;
const IN_COLUMN = { direction: 'column' } as const;

const CHOSEN = 'var(--app-primary-soft-text)';

const asTyped = (text: string) => text;

function Answer({
  right,
  index,
  active,
  renderText,
}: {
  right: RightItem | undefined;
  index: number;
  active: boolean;
  renderText: (text: string) => ReactNode;
}) {
  if (right) {
    return (
      <Flex component="span" align="flex-start" gap="xs" fw={500} c={CHOSEN}>
        <span className={parts.letter}>{letterOf(index)}</span>
        <Box component="span" pt={3} miw={0}>
          {renderText(right.text)}
        </Box>
      </Flex>
    );
  }
  if (!active) {
    return (
      <Flex component="span" align="center" gap="xs" mih="1.75rem" fw={400} c="dimmed">
        <Icon of={IconLink} size={16} />
        Пары нет
      </Flex>
    );
  }
  return (
    <Flex component="span" align="center" mih="1.75rem" fw={500} c={CHOSEN}>
      <Flex component="span" align="center" gap="xs" display={{ sm: 'none' }}>
        <Icon of={IconArrowDown} size={16} />
        Выберите ниже
      </Flex>
      <Box component="span" display={{ base: 'none', sm: 'inline' }}>
        Выберите рядом
      </Box>
    </Flex>
  );
}

/** The pictures and recordings of all items, to open and to play: within a button they cannot be. */
function LargeMedia({
  left,
  right,
  renderText,
}: {
  left: readonly LeftItem[];
  right: readonly RightItem[];
  renderText: (text: string) => ReactNode;
}) {
  const media = [
    ...left.map(({ text }, index) => ({ label: String(index + 1), text: mediaOf(text) })),
    ...right.map(({ text }, index) => ({ label: letterOf(index), text: mediaOf(text) })),
  ].filter(({ text }) => text !== '');
  if (media.length === 0) return null;
  return (
    <Flex
      component="ul"
      wrap="wrap"
      gap="0.5rem 1rem"
      mb="sm"
      className={classes.whole}
      aria-label="Картинки и записи крупно"
    >
      {media.map(({ label, text }) => (
        <Flex key={label} component="li" align="center" gap="xs" maw="100%">
          <span className={parts.letter}>{label}</span>
          {renderText(text)}
        </Flex>
      ))}
    </Flex>
  );
}

/** A left item with its answer; a press opens the bank. */
function LeftButton({
  number,
  text,
  short,
  disabled,
  children,
  ...place
}: ReturnType<ReturnType<typeof useBank>['place']> & {
  number: number;
  text: ReactNode;
  /** Whether the answer fits beside the text. */
  short: boolean;
  disabled: boolean;
  children: ReactNode;
}) {
  return (
    <Flex
      component="button"
      type="button"
      {...place}
      gap="sm"
      w="100%"
      mih="3.375rem"
      p="0.75rem 0.6875rem 0.75rem 0.875rem"
      ta="start"
      className={ITEM}
      disabled={disabled}
    >
      <Text span inherit miw="0.625rem" lh="1.75rem" className={parts.number}>
        {number}
      </Text>
      <Flex
        component="span"
        flex={1}
        miw={0}
        gap={short ? '0 1rem' : 4}
        justify="space-between"
        {...(short ? IN_LINE : IN_COLUMN)}
      >
        <Text span inherit lh={short ? '1.75rem' : 1.4} py={short ? 0 : 3} data-text="">
          {text}
        </Text>
        {children}
      </Flex>
    </Flex>
  );
}

/** Lists the left items that a right one is used for: by number, and as text for a screen reader. */
function Users({
  left,
  leftIds,
  renderText,
}: {
  left: readonly LeftItem[];
  leftIds: readonly string[];
  renderText: (text: string) => ReactNode;
}) {
  const numbers = leftIds.map((leftId) => left.findIndex((item) => item.leftId === leftId) + 1);
  return (
    <>
      <span aria-hidden>пара к {numbers.join(', ')}</span>
      <VisuallyHidden>пара к: </VisuallyHidden>
      {left.map(
        ({ leftId, text }) =>
          leftIds.includes(leftId) && (
            <VisuallyHidden key={leftId}>{renderText(text)} </VisuallyHidden>
          ),
      )}
    </>
  );
}

/** Words for a made or removed pair and the next left item, as drawn: with formulas as spoken text. */
function describeChoice(
  field: HTMLElement | null,
  left: readonly LeftItem[],
  leftId: string,
  index: number | null,
  next: string | null,
): string {
  const spokenIn = (list: 'ol' | '[role=listbox]', at: number) =>
    spokenTextOf(field?.querySelectorAll(`${list} [data-text]`)[at]);
  const spokenLeft = (id: string) => {
    const at = left.findIndex((item) => item.leftId === id);
    return spokenIn('ol', at) || String(at + 1);
  };
  const item = spokenLeft(leftId);
  if (index === null) return `${item}: пара убрана`;
  const pair = `${item} — ${spokenIn('[role=listbox]', index) || letterOf(index)}`;
  return next === null ? `${pair}. Все пары выбраны` : `${pair}. Дальше: ${spokenLeft(next)}`;
}

/**
 * Matching by taps or keys. A left item opens the bank of right items; a choice there makes the pair and moves on to
 * the next free left item. From 640 px the bank is beside the left items.
 */
export function MatchingField({
  left: writtenLeft,
  right: writtenRight,
  pairs,
  reuse = false,
  onChange,
  labelledBy,
  locked = false,
  renderText = asTyped,
}: MatchingFieldProps) {
  const left = writtenLeft.map((item, index) => ({
    ...item,
    text: nameMedia(item.text, index + 1),
  }));
  const right = writtenRight.map((item, index) => ({
    ...item,
    text: nameMedia(item.text, letterOf(index)),
  }));
  const field = useRef<HTMLDivElement>(null);
  const { active, spoken, place, bank } = useBank({
    left,
    right,
    pairs,
    reuse,
    onChange,
    announce: (...choice) => describeChoice(field.current, left, ...choice),
  });
  const short = allShort(right);
  const renderStill = (text: string) => renderText(text, true);
  const { activeIndex, activeItem } = bank;

  return (
    <div
      ref={field}
      className={classes.field}
      role="group"
      aria-labelledby={labelledBy}
      data-open={active !== null || undefined}
    >
      {reuse && (
        <Text mb={{ base: 'xs', sm: 0 }} size="sm" c="dimmed" className={classes.whole}>
          Один вариант можно выбрать несколько раз
        </Text>
      )}
      <LargeMedia left={left} right={right} renderText={renderText} />
      <Stack component="ol" gap="xs">
        {left.map((item, index) => {
          const rightId = pairs.find((pair) => pair.leftId === item.leftId)?.rightId;
          const rightIndex = right.findIndex((each) => each.rightId === rightId);
          return (
            <li key={item.leftId}>
              <LeftButton
                {...place(item.leftId)}
                number={index + 1}
                text={renderStill(item.text)}
                short={short}
                disabled={locked}
              >
                <Answer
                  right={right[rightIndex]}
                  index={rightIndex}
                  active={item.leftId === active}
                  renderText={renderStill}
                />
              </LeftButton>
            </li>
          );
        })}
      </Stack>
      {!locked && (
        <MatchingBank
          {...bank}
          title={
            activeItem ? (
              <>
                Пара для {activeIndex + 1} «{renderStill(activeItem.text)}»
              </>
            ) : (
              'Выберите, к чему подобрать пару'
            )
          }
          renderUsers={(leftIds) => (
            <Users left={left} leftIds={leftIds} renderText={renderStill} />
          )}
          short={short}
          renderText={renderStill}
        />
      )}
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </div>
  );
}
