import { Box, Flex, Stack, Text } from '@mantine/core';
import { IconCheck, IconMessage, IconX } from '@tabler/icons-react';
import { useContext, type ReactNode } from 'react';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { letterOf } from '#domain/format.ts';
import { nameMedia } from './media-names.ts';
import parts from './parts.module.css';
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

type Tone = 'ink' | 'ok' | 'bad';

/** One row of a reviewed answer: its number or sign, and its text. */
export function ReviewedItem({
  number,
  sign,
  tone,
  isChosen = false,
  children,
}: {
  number?: ReactNode;
  sign?: ReactNode;
  tone?: Tone | undefined;
  isChosen?: boolean;
  children: ReactNode;
}) {
  return (
    <Flex
      component="li"
      gap="sm"
      p="0.75rem 0.875rem"
      className={cx(parts.card, tone === 'ink' && parts.chosen)}
      bd={tone === 'ink' ? undefined : `1px solid var(--app-${tone ? `${tone}-text` : 'line'})`}
      data-chosen={isChosen || undefined}
      data-tone={tone}
    >
      {sign ?? (
        <Text span inherit miw="0.75rem" className={parts.number}>
          {number}
        </Text>
      )}
      <Stack component="span" gap={6} flex={1} miw={0}>
        {children}
      </Stack>
    </Flex>
  );
}

export function Label({ tone, children }: { tone: Tone; children: string }) {
  const icon = tone === 'bad' ? IconX : IconCheck;
  const color = `var(--app-${tone}-text)`;
  return (
    <Flex component="span" align="center" gap={4} fz="sm" lh="sm" fw={500} c={color}>
      {tone !== 'ink' && <Icon of={icon} size={16} />}
      {children}
    </Flex>
  );
}

/** The teacher's feedback to one answer. */
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
    <Flex component="span" gap={6} fz="0.9375rem">
      <Box component="span" display="flex" mt={3} c="dimmed">
        <Icon of={IconMessage} size={16} />
      </Box>
      <Box component="span" miw={0}>
        {renderText(text)}
      </Box>
    </Flex>
  );
}

interface ReviewedOption {
  id: string;
  text: string;
  isRight: boolean | null;
  /** The letter on its area of a picture. */
  mark?: string | undefined;
  /** Shown if the option was chosen or is right. */
  feedback?: string | undefined;
}

export interface ReviewedChoicesProps {
  options: readonly ReviewedOption[];
  /** Ids of the options chosen. */
  chosen: readonly string[];
  multiple: boolean;
  owner: AnswerOwner;
  renderText: RenderText;
}

/** Options in the order shown, with the chosen ones and, if `isRight` is known, the right ones. */
export function ReviewedChoices({
  options,
  chosen,
  multiple,
  owner,
  renderText,
}: ReviewedChoicesProps) {
  return (
    <Stack component="ul" gap="xs">
      {options.map(({ id, text, mark = text, isRight, feedback = '' }, index) => {
        const isChosen = chosen.includes(id);
        const tone = isRight === null ? 'ink' : isRight ? 'ok' : 'bad';
        return (
          <ReviewedItem
            key={id}
            isChosen={isChosen}
            tone={isChosen || isRight ? tone : undefined}
            sign={
              <span className={parts.sign} data-kind={multiple ? 'square' : 'circle'} aria-hidden>
                {isChosen && <IconCheck size={16} stroke={2.25} />}
              </span>
            }
          >
            <Text span inherit fw={isChosen ? 500 : undefined}>
              {mark !== text && <b aria-hidden>{mark} </b>}
              {renderText(nameMedia(text, index + 1))}
            </Text>
            {isChosen && (
              <Label tone={tone}>
                {isRight === null
                  ? ANSWER[owner]
                  : `${ANSWER[owner]}, ${isRight ? 'верно' : 'неверно'}`}
              </Label>
            )}
            {!isChosen && isRight && <Label tone="ok">Верный ответ</Label>}
            {(isChosen || isRight) && <ReviewedFeedback text={feedback} renderText={renderText} />}
          </ReviewedItem>
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
  owner: AnswerOwner;
  renderText: RenderText;
}

/** What was left empty. */
export const Nothing = ({ children }: { children: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);

function RightItemText({
  items,
  id,
  isQuiet = false,
  renderText,
}: {
  items: readonly RightItem[];
  id: string;
  isQuiet?: boolean;
  renderText: RenderText;
}) {
  const index = items.findIndex(({ rightId }) => rightId === id);
  return (
    <Flex component="span" align="flex-start" gap="xs" fw={isQuiet ? 400 : 500}>
      <Text
        span
        inherit
        className={parts.centre}
        miw="1.5rem"
        h="1.5rem"
        px={4}
        bd="1px solid var(--app-control)"
        bdrs="xs"
        fz="xs"
        fw={600}
      >
        {letterOf(Math.max(0, index))}
      </Text>
      <Box component="span" miw={0}>
        {renderText(nameMedia(items[index]?.text ?? '', letterOf(Math.max(0, index))))}
      </Box>
    </Flex>
  );
}

/** Left items with the chosen pair and, if known, the right one; all right items below. */
export function ReviewedPairs({
  left,
  right,
  pairs,
  rightPairs,
  owner,
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
            <ReviewedItem key={leftId} number={index + 1} tone={made === null ? undefined : tone}>
              <span>{renderText(nameMedia(text, index + 1))}</span>
              {made !== null && textOf(made)}
              {pairs !== null && made === null && <Nothing>Пары нет</Nothing>}
              {made !== null && (
                <Label tone={tone}>
                  {isRight === null
                    ? ANSWER[owner]
                    : `${ANSWER[owner]}, ${isRight ? 'верно' : 'неверно'}`}
                </Label>
              )}
              {wanted !== null && made !== wanted && (
                <>
                  {textOf(wanted)}
                  <Label tone="ok">Верная пара</Label>
                </>
              )}
            </ReviewedItem>
          );
        })}
      </Stack>
      <Text mt="sm" mb={6} size="sm" c="dimmed">
        Варианты пар
      </Text>
      <Flex component="ul" wrap="wrap" gap="0.5rem 1.25rem">
        {right.map(({ rightId }) => (
          <li key={rightId}>
            <RightItemText items={right} id={rightId} isQuiet renderText={renderText} />
          </li>
        ))}
      </Flex>
    </>
  );
}

export interface ReviewedOrderProps {
  /** In the right order, where `isKey`. */
  items: readonly { itemId: string; text: string }[];
  /** Ids in the order answered; empty: no answer. */
  order: readonly string[];
  isKey: boolean;
  owner: AnswerOwner;
  renderText: RenderText;
}

/** The student's order and, if known and different, the right one; without either the items in the order shown. */
export function ReviewedOrder({ items, order, isKey, owner, renderText }: ReviewedOrderProps) {
  const right = items.map(({ itemId }) => itemId);
  const isRight = isKey && order.join() === right.join();
  const listOf = (ids: readonly string[]) => (
    <Stack component="ol" gap="xs">
      {ids.map((id, index) => (
        <ReviewedItem key={id} number={index + 1}>
          {renderText(items.find(({ itemId }) => itemId === id)?.text ?? '')}
        </ReviewedItem>
      ))}
    </Stack>
  );
  return (
    <>
      {order.length > 0 && (
        <>
          <Box component="p" mb={6}>
            <Label tone={isRight ? 'ok' : 'ink'}>
              {isRight ? `${ANSWER[owner]}, верно` : ANSWER[owner]}
            </Label>
          </Box>
          {listOf(order)}
        </>
      )}
      {isKey && !isRight && (
        <Box component="p" mt={order.length > 0 ? 'sm' : 0} mb={6}>
          <Label tone="ok">Верный порядок</Label>
        </Box>
      )}
      {!isRight && (isKey || order.length === 0) && listOf(right)}
    </>
  );
}

export interface ReviewedTextProps {
  /** The written text, word for word: never Markdown, whatever it contains. */
  text: string;
  owner: AnswerOwner;
}

/** A written answer as typed. */
export function ReviewedText({ text, owner }: ReviewedTextProps) {
  const lang = useContext(ContentLanguage);
  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" mb={6} size="sm" c="dimmed">
        {ANSWER[owner]}
      </Text>
      <Box
        component="blockquote"
        m={0}
        p="0.75rem 0.875rem"
        bd="1px solid var(--app-primary)"
        bdrs="md"
        bg="var(--app-primary-soft)"
        className="break-anywhere pre-wrap"
        lang={lang}
      >
        {text}
      </Box>
    </Box>
  );
}
