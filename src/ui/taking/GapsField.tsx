import { Box, InputBase, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import {
  useCallback,
  useContext,
  useRef,
  useState,
  type ChangeEvent,
  type ComponentPropsWithRef,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { withoutInvisible } from '#domain/format-typed.ts';
import { gapMark, withGapPlaces, splitAtGapMarks } from '#domain/format-gaps.ts';
import { withFormulas } from '#domain/format-plain-text.ts';
import { showTex } from '#domain/format-tex.ts';
import { speakTex } from '#domain/format-spoken-tex.ts';
import { SpokenText } from '#app/ui/SpokenText.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { cx } from '#app/ui/cx.ts';
import { LimitNote } from '#app/ui/forms/LimitNote.tsx';
import { useTextLimit } from '#app/ui/forms/use-text-limit.ts';
import { MatchingBank } from './MatchingBank.tsx';
import { allShort } from './matching.ts';
import { NumberKeys, type Keyboard } from './NumberKeys.tsx';
import { isPlainEnter } from './plain-enter.ts';
import { sharedWords } from './shared-words.ts';
import { useBank } from './use-bank.ts';
import classes from './GapsField.module.css';
import numberKeys from './NumberKeys.module.css';
import parts from './parts.module.css';

/** Formulas are drawn from their source, which cannot contain a field. */
const isOutside = (node: Node): number =>
  node.parentElement?.closest('[data-math], code, button, a')
    ? NodeFilter.FILTER_REJECT
    : NodeFilter.FILTER_ACCEPT;

/** Replaces each mark of a drawn text with an empty element for its field. The first of two with one number counts. */
function placeGaps(root: HTMLElement): ReadonlyMap<string, HTMLElement> {
  root.normalize();
  const places = new Map<string, HTMLElement>();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, isOutside);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const node of texts) {
    const pieces = splitAtGapMarks(node.data);
    if (pieces.every((piece) => typeof piece === 'string')) continue;
    const nodes = pieces.map((piece) => {
      if (typeof piece === 'string') return document.createTextNode(piece);
      if (places.has(piece.gapId)) return document.createTextNode(`[[${piece.gapId}]]`);
      const place = document.createElement('span');
      places.set(piece.gapId, place);
      return place;
    });
    node.replaceWith(...nodes);
  }
  return places;
}

/** One gap as sent to a student. */
export type ShownGap =
  | { readonly gapId: string; readonly input: 'line' | 'number' }
  | {
      readonly gapId: string;
      readonly input: 'choice';
      readonly options: readonly { readonly optionId: string; readonly text: string }[];
    };

/** Text that was typed into a gap, or the option chosen in it. */
export type FilledGap = { gapId: string; text: string } | { gapId: string; optionId: string };

export interface GapsFieldProps {
  /** Markdown with `[[1]]` at the place of the gap 1. */
  text: string;
  gaps: readonly ShownGap[];
  answered: readonly FilledGap[];
  /** `isWhole`: a choice, which needs no further typing. */
  onChange: (answered: FilledGap[], isWhole: boolean) => void;
  onBlur?: () => void;
  /** Enter in the last gap. */
  onEnter?: () => void;
  locked?: boolean;
  /** Limit of each typed text. */
  maxLength?: number;
}

/**
 * A text with fields in it. A gap that has no place in the drawn text, for example inside a formula, comes below. Gaps
 * with one bank of words are buttons that open the bank, like the items of a matching question.
 */
export function GapsField({ text, gaps, ...answering }: GapsFieldProps) {
  const { answered, onChange, locked = false } = answering;
  const [places, setPlaces] = useState<ReadonlyMap<string, HTMLElement>>(new Map());
  const onDrawn = useCallback((root: HTMLElement) => setPlaces(placeGaps(root)), []);
  const order = [...places.keys()];
  const inOrder = [...gaps].sort((a, b) => order.indexOf(a.gapId) - order.indexOf(b.gapId));
  const words = sharedWords(gaps);
  const chosen = words.length > 0 ? inOrder.filter((gap) => gap.input === 'choice') : [];
  const wordIn = (gap: ShownGap) => {
    const given = answered.find(({ gapId }) => gapId === gap.gapId);
    return given && 'optionId' in given && gap.input === 'choice'
      ? gap.options.find(({ optionId }) => optionId === given.optionId)?.text
      : undefined;
  };
  const { active, spoken, place, bank } = useBank({
    left: chosen.map(({ gapId }) => ({ leftId: gapId, text: '' })),
    right: words.map((word) => ({ rightId: word, text: word })),
    pairs: chosen.flatMap((gap) => {
      const word = wordIn(gap);
      return word === undefined ? [] : [{ leftId: gap.gapId, rightId: word }];
    }),
    reuse: true,
    onChange: (pairs) =>
      onChange(
        [
          ...answered.filter(({ gapId }) => chosen.every((gap) => gap.gapId !== gapId)),
          ...chosen.flatMap(({ gapId, options }) => {
            const word = pairs.find(({ leftId }) => leftId === gapId)?.rightId;
            const option = options.find((each) => each.text === word);
            return option ? [{ gapId, optionId: option.optionId }] : [];
          }),
        ],
        true,
      ),
    announce: (gapId, index, next) => {
      if (index === null) return `Пропуск ${gapId} пуст`;
      const filled = `Пропуск ${gapId}: ${withFormulas(words[index] ?? '', speakTex)}`;
      return next === null
        ? `${filled}. Все пропуски заполнены`
        : `${filled}. Дальше: пропуск ${next}`;
    },
  });
  const fields = inOrder.map((gap, index) => {
    const isBelow = !places.has(gap.gapId);
    return {
      place: places.get(gap.gapId),
      field: chosen.some(({ gapId }) => gapId === gap.gapId) ? (
        <WordGap
          key={gap.gapId}
          gapId={gap.gapId}
          word={wordIn(gap)}
          isBelow={isBelow}
          disabled={locked}
          {...place(gap.gapId)}
        />
      ) : (
        <GapField
          key={gap.gapId}
          gap={gap}
          isBelow={isBelow}
          isLast={index === gaps.length - 1}
          {...answering}
        />
      ),
    };
  });
  return (
    <>
      <RichText
        text={withGapPlaces(text, gapMark)}
        typed={withGapPlaces(text, (gapId) => `(${gapId})`)}
        onDrawn={onDrawn}
      />
      {fields.map((each) => each.place && createPortal(each.field, each.place, each.field.key))}
      <Below>{fields.flatMap((each) => (each.place ? [] : [each.field]))}</Below>
      {chosen.length > 0 && !locked && (
        <Box
          mt="md"
          fz="md"
          lh="md"
          className={classes.bank}
          data-open={active !== null || undefined}
        >
          <MatchingBank
            {...bank}
            title={active === null ? 'Нажмите на пропуск в тексте' : `Слово для пропуска ${active}`}
            renderUsers={(gapIds) =>
              `в ${gapIds.length > 1 ? 'пропусках' : 'пропуске'} ${gapIds.join(', ')}`
            }
            short={allShort(bank.right)}
            renderText={(word) => <Word text={word} />}
          />
        </Box>
      )}
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </>
  );
}

type WordGapProps = ComponentPropsWithRef<'button'> & {
  gapId: string;
  word: string | undefined;
  isBelow: boolean;
};

/** A word of the key; its only markup is formulas. */
const Word = ({ text }: { text: string }) => (
  <span lang={useContext(ContentLanguage)}>
    <SpokenText shown={withFormulas(text, showTex)} spoken={withFormulas(text, speakTex)} />
  </span>
);

/** A gap that is filled from the bank. */
const WordGap = ({ gapId, word, isBelow, ...button }: WordGapProps) => (
  <button
    type="button"
    className={cx(parts.card, classes.field, classes.word)}
    data-empty={word === undefined || undefined}
    {...button}
  >
    {isBelow ? (
      <span lang="ru">{`Пропуск ${gapId}: `}</span>
    ) : (
      <VisuallyHidden lang="ru">{`Пропуск ${gapId}: `}</VisuallyHidden>
    )}
    {word !== undefined ? (
      <Word text={word} />
    ) : (
      <>
        <span aria-hidden>({gapId})</span>
        <VisuallyHidden lang="ru">пусто</VisuallyHidden>
      </>
    )}
  </button>
);

const Below = ({ children }: { children: readonly ReactNode[] }) =>
  children.length > 0 && (
    <Stack align="flex-start" gap="xs" mt="sm">
      {children}
    </Stack>
  );

type GapFieldProps = Omit<GapsFieldProps, 'text' | 'gaps'> & {
  gap: ShownGap;
  isBelow: boolean;
  isLast: boolean;
};

function GapField({ gap, isBelow, answered, onChange, ...field }: GapFieldProps) {
  const lang = useContext(ContentLanguage);
  const { gapId } = gap;
  const name = `Пропуск ${gapId}`;
  const named = isBelow ? { label: name } : { 'aria-label': name };
  const given = answered.find((one) => one.gapId === gapId);
  const answer = (own: FilledGap | null, isWhole: boolean) => {
    const others = answered.filter((one) => one.gapId !== gapId);
    onChange(own ? [...others, own] : others, isWhole);
  };
  if (gap.input !== 'choice')
    return (
      <TypedGap
        {...field}
        input={gap.input}
        named={named}
        value={given && 'text' in given ? given.text : ''}
        onType={(text) => answer(text === '' ? null : { gapId, text }, false)}
      />
    );
  return (
    // Not `NativeSelect`, which brings the styles of every kind of list.
    <InputBase
      component="select"
      className={classes.field}
      {...named}
      disabled={field.locked ?? false}
      value={given && 'optionId' in given ? given.optionId : ''}
      rightSection={<Icon of={IconChevronDown} size={16} />}
      onChange={({ currentTarget: { value: optionId } }: ChangeEvent<HTMLSelectElement>) =>
        answer(optionId === '' ? null : { gapId, optionId }, true)
      }
    >
      <option value="" lang="ru">
        – выберите –
      </option>
      {gap.options.map(({ optionId, text }) => (
        <option
          key={optionId}
          value={optionId}
          lang={lang}
          aria-label={withFormulas(text, speakTex)}
        >
          {withFormulas(text, showTex)}
        </option>
      ))}
    </InputBase>
  );
}

interface TypedGapProps extends Pick<
  GapsFieldProps,
  'locked' | 'maxLength' | 'onBlur' | 'onEnter'
> {
  input: 'line' | 'number';
  named: { label: string } | { 'aria-label': string };
  value: string;
  onType: (text: string) => void;
  isLast: boolean;
}

/** A gap for a word or a number. */
function TypedGap({
  input,
  named,
  value,
  onType,
  isLast,
  locked = false,
  maxLength,
  onBlur,
  onEnter,
}: TypedGapProps) {
  const field = useRef<HTMLInputElement>(null);
  const [keyboard, setKeyboard] = useState<Keyboard>('decimal');
  const typing = useTextLimit(value, maxLength, onType, withoutInvisible);
  const isNumber = input === 'number';
  return (
    <span className={cx(classes.field, isNumber && numberKeys.field)}>
      <TextInput
        ref={field}
        w={isNumber ? 'calc(5.5rem + var(--number-keys))' : '12rem'}
        maw="100%"
        {...named}
        lang={useContext(ContentLanguage)}
        readOnly={locked}
        inputMode={isNumber ? keyboard : 'text'}
        enterKeyHint="next"
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        {...typing.field}
        onBlur={onBlur}
        onKeyDown={(event) => {
          if (isLast && isPlainEnter(event)) onEnter?.();
        }}
        {...(isNumber && {
          rightSectionWidth: 'var(--number-keys)',
          rightSectionPointerEvents: 'all' as const,
          rightSection: (
            <NumberKeys of={field} keyboard={keyboard} onKeyboard={setKeyboard} disabled={locked} />
          ),
        })}
      />
      {maxLength !== undefined && (
        /* As wide as its field, whatever it says. */
        <Box component="span" display="block" w={0} miw="100%">
          <LimitNote limit={typing.limit} />
        </Box>
      )}
    </span>
  );
}
