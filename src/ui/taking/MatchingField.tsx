import { Stack, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconLink } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { letterOf } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { MatchingBank } from './MatchingBank.tsx';
import parts from './parts.module.css';
import classes from './MatchingField.module.css';
import { cx } from '#app/ui/cx.ts';
import {
  allShort,
  indexOfKey,
  mediaOf,
  nextFree,
  withPair,
  withoutPair,
  type LeftItem,
  type Pair,
  type RightItem,
} from './matching.ts';

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
const NUMBER = cx(parts.number, classes.number);
const LETTER = cx(parts.letter, classes.letter);

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
      <span className={classes.answer}>
        <span className={LETTER}>{letterOf(index)}</span>
        <span className={classes.right}>{renderText(right.text)}</span>
      </span>
    );
  }
  const icon = active ? IconArrowDown : IconLink;
  return (
    <span className={classes.answer} data-empty data-active={active || undefined}>
      <Icon of={icon} size={16} />
      {active ? (
        <>
          <span className={classes.below}>Выберите ниже</span>
          <span className={classes.beside}>Выберите рядом</span>
        </>
      ) : (
        <span>Пары нет</span>
      )}
    </span>
  );
}

/**
 * Matching by taps or keys: a left item opens the bank of right items, a choice there makes the pair
 * and goes on to the next free left item. From 640 px the bank stands beside the left items.
 */
export function MatchingField({
  left,
  right,
  pairs,
  reuse = false,
  onChange,
  labelledBy,
  locked = false,
  renderText = asTyped,
}: MatchingFieldProps) {
  const [active, setActive] = useState<string | null>(null);
  const [spoken, setSpoken] = useState('');
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const bank = useRef<HTMLDivElement>(null);
  const bankId = useId();
  const short = allShort(right);
  const renderStill = (text: string) => renderText(text, true);
  const media = [
    ...left.map(({ text }, index) => ({ label: String(index + 1), text: mediaOf(text) })),
    ...right.map(({ text }, index) => ({ label: letterOf(index), text: mediaOf(text) })),
  ].filter(({ text }) => text !== '');
  const activeIndex = left.findIndex((item) => item.leftId === active);
  const activeItem = left[activeIndex];

  useEffect(() => {
    if (active) buttons.current.get(active)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const open = (leftId: string | null, focusBank: boolean) => {
    setActive(leftId);
    if (leftId !== null && focusBank) requestAnimationFrame(() => bank.current?.focus());
  };

  const close = () => {
    if (active) buttons.current.get(active)?.focus();
    setActive(null);
  };

  const choose = (leftId: string, index: number) => {
    const item = right[index];
    if (!item) return;
    const next = withPair(left, pairs, { leftId, rightId: item.rightId }, reuse);
    const number = left.findIndex((each) => each.leftId === leftId) + 1;
    setSpoken(`К ${number} выбрано ${letterOf(index)}`);
    onChange(next);
    const free = nextFree(left, next, leftId);
    if (free === null && bank.current?.contains(document.activeElement)) {
      buttons.current.get(leftId)?.focus();
    }
    open(free, false);
  };

  const clear = (leftId: string) => {
    setSpoken(`Пара к ${left.findIndex((each) => each.leftId === leftId) + 1} убрана`);
    onChange(withoutPair(pairs, leftId));
  };

  const onLeftKey = (event: KeyboardEvent, leftId: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = indexOfKey({ key: event.key, code: event.nativeEvent.code }, right.length);
    if (event.key === 'Delete' || event.key === 'Backspace') clear(leftId);
    else if (event.key === 'Escape' && active) close();
    else if (index >= 0) choose(leftId, index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      className={classes.field}
      role="group"
      aria-labelledby={labelledBy}
      data-open={active !== null || undefined}
    >
      {reuse && <p className={classes.hint}>Один вариант можно выбрать несколько раз</p>}
      {media.length > 0 && (
        <ul className={classes.media} aria-label="Картинки и записи крупно">
          {media.map(({ label, text }) => (
            <li key={label}>
              <span className={LETTER}>{label}</span>
              {renderText(text)}
            </li>
          ))}
        </ul>
      )}
      <Stack component="ol" gap="xs">
        {left.map((item, index) => {
          const rightId = pairs.find((pair) => pair.leftId === item.leftId)?.rightId;
          const rightIndex = right.findIndex((each) => each.rightId === rightId);
          const isActive = item.leftId === active;
          return (
            <li key={item.leftId}>
              <button
                type="button"
                ref={(element) => {
                  if (element) buttons.current.set(item.leftId, element);
                }}
                className={ITEM}
                data-active={isActive || undefined}
                data-short={short || undefined}
                disabled={locked}
                aria-expanded={isActive}
                aria-controls={bankId}
                onClick={(event) => open(isActive ? null : item.leftId, event.detail === 0)}
                onKeyDown={(event) => onLeftKey(event, item.leftId)}
              >
                <span className={NUMBER}>{index + 1}</span>
                <span className={classes.body}>
                  <span className={classes.term}>{renderStill(item.text)}</span>
                  <Answer
                    right={right[rightIndex]}
                    index={rightIndex}
                    active={isActive}
                    renderText={renderStill}
                  />
                </span>
              </button>
            </li>
          );
        })}
      </Stack>
      {!locked && (
        <MatchingBank
          id={bankId}
          ref={bank}
          left={left}
          right={right}
          pairs={pairs}
          reuse={reuse}
          activeIndex={activeIndex}
          activeItem={activeItem}
          short={short}
          renderText={renderStill}
          onChoose={(index) => {
            if (activeItem) choose(activeItem.leftId, index);
          }}
          onClear={() => {
            if (activeItem) clear(activeItem.leftId);
          }}
          onClose={close}
        />
      )}
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </div>
  );
}
