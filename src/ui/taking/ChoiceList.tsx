import { Box, Flex, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId, useRef, type ReactNode } from 'react';
import parts from './parts.module.css';
import classes from './ChoiceList.module.css';
import { nameMedia } from './media-names.ts';
import { cx } from '#app/ui/cx.ts';
import { Kbd } from '#app/ui/Kbd.tsx';
import { useShortcuts } from '#app/ui/shortcuts.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';

export interface ChoiceOption {
  id: string;
  text: string;
  /** The letter on its area of a picture. */
  mark?: string;
}

const OPTION = cx(parts.card, classes.option, 'frame-of-focus');

export interface ChoiceListProps {
  options: readonly ChoiceOption[];
  /** Ids of the options chosen. */
  selected: readonly string[];
  /** False: one option, circles. True: several, squares and the line «Выберите все верные». */
  multiple: boolean;
  onChange: (ids: string[]) => void;
  /** Id of the question's text. */
  labelledBy: string;
  locked?: boolean;
  /** Draws an option's text, with formulas. */
  renderText?: (text: string) => ReactNode;
}

const KEYS = 9;
const asTyped = (text: string) => text;

/** The ids after an option was chosen or, among several, deselected; in the order of the options. */
export function toggleChoice(
  { options, selected, multiple }: Pick<ChoiceListProps, 'options' | 'selected' | 'multiple'>,
  id: string,
): string[] {
  if (!multiple) return [id];
  const chosen = new Set(selected);
  if (!chosen.delete(id)) chosen.add(id);
  return options.filter((option) => chosen.has(option.id)).map((option) => option.id);
}

/** The options of a question. The whole row is the label of its radio button or checkbox. */
export function ChoiceList({
  options,
  selected,
  multiple,
  onChange,
  labelledBy,
  locked = false,
  renderText = asTyped,
}: ChoiceListProps) {
  const name = useId();
  const hintId = useId();
  const { isOn } = useShortcuts();
  const group = useRef<HTMLDivElement>(null);
  const reset = () => {
    // The button disappears, and would lose the focus.
    group.current?.querySelector('input')?.focus();
    onChange([]);
  };
  return (
    <div
      ref={group}
      role={multiple ? 'group' : 'radiogroup'}
      aria-labelledby={labelledBy}
      aria-describedby={multiple ? hintId : undefined}
      aria-disabled={locked || undefined}
    >
      {multiple && (
        <Text id={hintId} mb="xs" size="sm" c="dimmed">
          Выберите все верные
        </Text>
      )}
      <Stack gap="xs">
        {options.map((option, index) => {
          const checked = selected.includes(option.id);
          return (
            <Flex
              key={option.id}
              component="label"
              pos="relative"
              align="center"
              gap="sm"
              mih="3.375rem"
              p="0.5rem 0.875rem"
              fw={checked ? 500 : undefined}
              className={OPTION}
              data-checked={checked || undefined}
              data-locked={locked || undefined}
            >
              <input
                type={multiple ? 'checkbox' : 'radio'}
                name={name}
                className="hit-area"
                checked={checked}
                disabled={locked}
                onChange={() => onChange(toggleChoice({ options, selected, multiple }, option.id))}
              />
              <span className={parts.sign} data-kind={multiple ? 'square' : 'circle'} aria-hidden>
                {checked && <IconCheck size={16} stroke={2.25} />}
              </span>
              {option.mark !== undefined && option.mark !== option.text && (
                <b className="tabular" aria-hidden>
                  {option.mark}
                </b>
              )}
              <Box component="span" flex={1} miw={0} className={classes.text}>
                {renderText(nameMedia(option.text, index + 1))}
              </Box>
              {index < KEYS && !locked && isOn && (
                <span className="with-keyboard" aria-hidden>
                  <Kbd>{index + 1}</Kbd>
                </span>
              )}
            </Flex>
          );
        })}
      </Stack>
      {!multiple && !locked && selected.length > 0 && (
        <Box mt={4}>
          <QuietButton onClick={reset}>Сбросить выбор</QuietButton>
        </Box>
      )}
    </div>
  );
}
