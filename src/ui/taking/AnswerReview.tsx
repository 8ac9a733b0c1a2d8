import { Stack } from '@mantine/core';
import { IconCheck, IconMessage, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { letterOf } from '#domain/format.ts';
import parts from './parts.module.css';
import classes from './AnswerReview.module.css';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import type { LeftItem, Pair, RightItem } from './matching.ts';

/** Whether the reader looks at their own answer or at a student's. */
export type AnswerOwner = 'own' | 'student';

export const ANSWER: Readonly<Record<AnswerOwner, string>> = {
  own: 'Ваш ответ',
  student: 'Ответ ученика',
};

type RenderText = (text: string) => ReactNode;

export const OPTION = cx(parts.card, classes.option);
export const NUMBER = cx(parts.number, classes.number);

export function Label({ tone, children }: { tone: 'ink' | 'ok' | 'bad'; children: string }) {
  const icon = tone === 'bad' ? IconX : IconCheck;
  return (
    <span className={classes.label} style={{ color: `var(--app-${tone}-text)` }}>
      {tone !== 'ink' && <Icon of={icon} size={16} />}
      {children}
    </span>
  );
}

/** What the teacher wrote to one answer. */
export function ReviewedFeedback({
  text,
  renderText,
}: {
  /** Empty: nothing. */
  text: string;
  renderText: RenderText;
}) {
  if (text === '') return null;
  return (
    <span className={classes.feedback}>
      <Icon of={IconMessage} size={16} />
      <span className={classes.text}>{renderText(text)}</span>
    </span>
  );
}

interface ReviewedOption {
  id: string;
  text: string;
  isRight: boolean | null;
  /** What stands on its area of a picture. */
  mark?: string | undefined;
  /** Told where the option was chosen or is right. */
  feedback?: string | undefined;
}

export interface ReviewedChoicesProps {
  options: readonly ReviewedOption[];
  /** Ids of the options chosen. */
  chosen: readonly string[];
  multiple: boolean;
  whose: AnswerOwner;
  renderText: RenderText;
}

/** Options as they stood, with what was chosen and, where `isRight` is known, what is right. */
export function ReviewedChoices({
  options,
  chosen,
  multiple,
  whose,
  renderText,
}: ReviewedChoicesProps) {
  return (
    <Stack component="ul" gap="xs">
      {options.map(({ id, text, mark = text, isRight, feedback = '' }) => {
        const isChosen = chosen.includes(id);
        const tone = isRight === null ? 'ink' : isRight ? 'ok' : 'bad';
        return (
          <li
            key={id}
            className={OPTION}
            data-chosen={isChosen || undefined}
            data-tone={isChosen || isRight ? tone : undefined}
          >
            <span className={parts.sign} data-kind={multiple ? 'square' : 'circle'} aria-hidden>
              {isChosen && <IconCheck size={16} stroke={2.25} />}
            </span>
            <span className={classes.body}>
              <span className={classes.text}>
                {mark !== text && <b aria-hidden>{mark} </b>}
                {renderText(text)}
              </span>
              {isChosen && (
                <Label tone={tone}>
                  {isRight === null
                    ? ANSWER[whose]
                    : `${ANSWER[whose]}, ${isRight ? 'верно' : 'неверно'}`}
                </Label>
              )}
              {!isChosen && isRight && <Label tone="ok">Верный ответ</Label>}
              {(isChosen || isRight) && (
                <ReviewedFeedback text={feedback} renderText={renderText} />
              )}
            </span>
          </li>
        );
      })}
    </Stack>
  );
}

export interface ReviewedPairsProps {
  left: readonly LeftItem[];
  right: readonly RightItem[];
  /** Pairs made; null: they are not shown. */
  pairs: readonly Pair[] | null;
  /** Right pairs; null: they are not shown. */
  rightPairs: readonly Pair[] | null;
  whose: AnswerOwner;
  renderText: RenderText;
}

function RightItemText({
  items,
  id,
  renderText,
}: {
  items: readonly RightItem[];
  id: string;
  renderText: RenderText;
}) {
  const index = items.findIndex(({ rightId }) => rightId === id);
  return (
    <span className={classes.pairRight}>
      <span className={cx(parts.centre, classes.letter)}>{letterOf(Math.max(0, index))}</span>
      <span className={classes.text}>{renderText(items[index]?.text ?? '')}</span>
    </span>
  );
}

/** Left items with the pair made and, where it is known, the right one; all right items below. */
export function ReviewedPairs({
  left,
  right,
  pairs,
  rightPairs,
  whose,
  renderText,
}: ReviewedPairsProps) {
  const pairOf = (of: readonly Pair[] | null, leftId: string) =>
    of?.find((pair) => pair.leftId === leftId)?.rightId ?? null;
  const textOf = (id: string) => <RightItemText items={right} id={id} renderText={renderText} />;
  return (
    <>
      <Stack component="ol" gap="xs">
        {left.map(({ leftId, text }, index) => {
          const made = pairOf(pairs, leftId);
          const wanted = pairOf(rightPairs, leftId);
          const isRight = rightPairs === null ? null : made === wanted;
          const tone = isRight === null ? 'ink' : isRight ? 'ok' : 'bad';
          return (
            <li key={leftId} className={OPTION} data-tone={made === null ? undefined : tone}>
              <span className={NUMBER}>{index + 1}</span>
              <span className={classes.body}>
                <span className={classes.text}>{renderText(text)}</span>
                {made !== null && textOf(made)}
                {pairs !== null && made === null && <span className={classes.none}>Пары нет</span>}
                {made !== null && (
                  <Label tone={tone}>
                    {isRight === null
                      ? ANSWER[whose]
                      : `${ANSWER[whose]}, ${isRight ? 'верно' : 'неверно'}`}
                  </Label>
                )}
                {wanted !== null && made !== wanted && (
                  <>
                    {textOf(wanted)}
                    <Label tone="ok">Верная пара</Label>
                  </>
                )}
              </span>
            </li>
          );
        })}
      </Stack>
      <p className={classes.caption}>Варианты пар</p>
      <ul className={classes.bank}>
        {right.map(({ rightId }) => (
          <li key={rightId}>{textOf(rightId)}</li>
        ))}
      </ul>
    </>
  );
}

export interface ReviewedOrderProps {
  /** In the right order, where `isKey`. */
  items: readonly { itemId: string; text: string }[];
  /** Ids in the order answered; empty: no answer. */
  order: readonly string[];
  isKey: boolean;
  whose: AnswerOwner;
  renderText: RenderText;
}

/** The order made and, where it is known and differs, the right one; without either the items as they stood. */
export function ReviewedOrder({ items, order, isKey, whose, renderText }: ReviewedOrderProps) {
  const right = items.map(({ itemId }) => itemId);
  const isRight = isKey && order.join() === right.join();
  const listOf = (ids: readonly string[]) => (
    <Stack component="ol" gap="xs">
      {ids.map((id, index) => (
        <li key={id} className={OPTION}>
          <span className={NUMBER}>{index + 1}</span>
          <span className={classes.text}>
            {renderText(items.find(({ itemId }) => itemId === id)?.text ?? '')}
          </span>
        </li>
      ))}
    </Stack>
  );
  return (
    <>
      {order.length > 0 && (
        <>
          <p className={classes.caption}>
            <Label tone={isRight ? 'ok' : 'ink'}>
              {isRight ? `${ANSWER[whose]}, верно` : ANSWER[whose]}
            </Label>
          </p>
          {listOf(order)}
        </>
      )}
      {isKey && !isRight && (
        <p className={classes.caption}>
          <Label tone="ok">Верный порядок</Label>
        </p>
      )}
      {!isRight && (isKey || order.length === 0) && listOf(right)}
    </>
  );
}

export interface ReviewedTextProps {
  /** What was written, word for word: never Markdown, whatever stands in it. */
  text: string;
  whose: AnswerOwner;
}

/** A written answer as it was typed. */
export function ReviewedText({ text, whose }: ReviewedTextProps) {
  return (
    <figure className={classes.written}>
      <figcaption className={classes.caption}>{ANSWER[whose]}</figcaption>
      <blockquote className={classes.words}>{text}</blockquote>
    </figure>
  );
}
