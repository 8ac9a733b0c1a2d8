import { Box, Group, Text } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatPoints } from '#domain/format.ts';
import { questionKindLabel } from '#domain/labels-kinds.ts';
import { questionLabel, spokenQuestionLabel } from '#domain/question-label.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { cx } from '#app/ui/cx.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { Losses } from './Losses.tsx';
import type { ImportedTest } from './messages.ts';
import classes from './PreviewRows.module.css';

/** Height of a row with a text of one line. */
const USUAL_ROW_PX = 62;
/** The list's own buttons stay above its rows. */
const BAR_PX = 48;
/** From this number of rows the list has buttons to go through it. */
const LONG_LIST = 20;

const NO_REMARKS: readonly string[] = [];

interface RowProps {
  readonly item: ImportedTest['items'][number];
  readonly index: number;
  readonly remarks: readonly string[];
  /** The place that already has the question, in Russian; null: none. */
  readonly holder: string | null;
  readonly isChosen: boolean;
  readonly onToggle: (index: number) => void;
  readonly onFocus: (index: number) => void;
}

/** Memoised, so that scrolling draws only the rows that appear. */
const Row = memo(function Row(props: RowProps) {
  const { item, index, remarks, holder, isChosen, onToggle, onFocus } = props;
  const { question, place } = item;
  const label = questionLabel(question);
  return (
    <>
      <ChoiceRow
        atTop
        type="checkbox"
        aria-label={spokenQuestionLabel(question)}
        checked={isChosen}
        onChange={() => onToggle(index)}
        onFocus={() => onFocus(index)}
      >
        <span className="break-anywhere">{label}</span>
        <br />
        <Text span size="sm" c="dimmed">
          {questionKindLabel(question)}, {formatPoints(question.points)}, {place}
          {holder !== null && `. ${holder}`}
        </Text>
      </ChoiceRow>
      {remarks.length > 0 && <Losses of={remarks} />}
    </>
  );
});

const ROW = { position: 'absolute', top: 0, width: '100%', paddingBlock: '0.5rem' } as const;

function findScroller(element: Element | null): Element | null {
  const parent = element?.parentElement ?? null;
  if (!parent || /auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  return findScroller(parent);
}

/** Position of a list within its scroll container. */
function useScroller() {
  const list = useRef<HTMLUListElement>(null);
  const [scroller, setScroller] = useState<Element | null>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setScroller(findScroller(list.current)), []);
  /** Messages of the dialog above the list grow and shrink. */
  const measure = () => {
    if (!scroller || !list.current) return;
    const distance =
      list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    setTop(Math.round(distance + scroller.scrollTop));
  };
  return { list, scroller, top, measure };
}

export interface PreviewRowsProps {
  readonly items: ImportedTest['items'];
  /** The notes under each item: losses and problems. */
  readonly remarks: readonly (readonly string[])[];
  readonly holderOf: (source: string) => string | null;
  readonly chosen: ReadonlySet<number>;
  /** Stays the same function. */
  readonly onToggle: (index: number) => void;
}

/** Questions of a file. It may have thousands: only rows near the visible ones are in the document. */
export function PreviewRows({ items, remarks, holderOf, chosen, onToggle }: PreviewRowsProps) {
  const { list, scroller, top, measure } = useScroller();
  /** The row that has, or last had, the focus: it stays in the document however far it is scrolled away. */
  const [current, setCurrent] = useState<{ readonly index: number } | null>(null);
  const onFocus = useCallback(
    (index: number) => setCurrent((now) => (now?.index === index ? now : { index })),
    [],
  );
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes what it returns here
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => USUAL_ROW_PX,
    overscan: 6,
    scrollMargin: top,
    scrollPaddingStart: BAR_PX,
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range);
      if (!current || shown.includes(current.index)) return shown;
      return [...shown, current.index].sort((one, other) => one - other);
    },
  });
  useLayoutEffect(() => {
    if (!rows.isScrolling) measure();
  });

  const goTo = (index: number) => {
    rows.scrollToIndex(index, { align: 'start' });
    setCurrent({ index });
  };
  useEffect(() => {
    const box = current && list.current?.querySelector(`[data-index="${current.index}"] input`);
    if (box instanceof HTMLElement) box.focus({ preventScroll: true });
  }, [current, list]);

  const withRemarks = useMemo(
    () => remarks.flatMap((lines, index) => (lines.length > 0 ? [index] : [])),
    [remarks],
  );
  const firstChosen = useMemo(() => Math.min(...chosen), [chosen]);
  const nextRemark = withRemarks.find((index) => index > (current?.index ?? -1)) ?? withRemarks[0];
  return (
    <div>
      {items.length > LONG_LIST && (
        // At the dialog's own padding, which would show rows above the bar.
        <Group
          className="sticky"
          gap="sm"
          mih="3rem"
          top={-4}
          bg="var(--app-raised)"
          style={{ zIndex: 1 }}
        >
          {chosen.size > 0 && (
            <QuietButton onClick={() => goTo(firstChosen)}>К отмеченным</QuietButton>
          )}
          {nextRemark !== undefined && (
            <QuietButton onClick={() => goTo(nextRemark)}>К следующему с замечанием</QuietButton>
          )}
        </Group>
      )}
      <Box
        component="ul"
        ref={list}
        aria-label="Войдут"
        pos="relative"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          return (
            item && (
              <li
                key={item.question.questionId}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className={cx('line-above', classes.row)}
                style={{ ...ROW, transform: `translateY(${start - top}px)` }}
              >
                <Row
                  item={item}
                  index={index}
                  remarks={remarks[index] ?? NO_REMARKS}
                  holder={holderOf(item.source)}
                  isChosen={chosen.has(index)}
                  onToggle={onToggle}
                  onFocus={onFocus}
                />
              </li>
            )
          );
        })}
      </Box>
    </div>
  );
}
