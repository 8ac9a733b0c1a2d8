import { ActionIcon, Box, Flex, Text } from '@mantine/core';
import { IconMathFunction, IconMessage, IconPhoto, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { cx } from '#app/ui/cx.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { FeedbackField } from '#app/questions/form/FeedbackField.tsx';
import { LineField } from '#app/questions/form/LineField.tsx';
import classes from '#app/questions/form/QuestionForm.module.css';
import { moveActions } from '#app/ui/sorting/move-actions.ts';
import { SortableRow } from '#app/ui/sorting/SortableList.tsx';
import { RightMark } from '#app/questions/form/RightMark.tsx';
import { useRichText } from '#app/questions/form/use-rich-text.tsx';
import type { Option } from './option-edits.ts';

export interface OptionRowProps {
  readonly option: Option;
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly multiple: boolean;
  readonly onText: (text: string) => void;
  readonly onRight: (isRight: boolean) => void;
  readonly onFeedback: (feedback: string) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  readonly onEnter: () => void;
  readonly onErase: () => void;
  readonly onLines: (lines: readonly string[]) => void;
}

/** One option: position, correctness, text, feedback. */
export function OptionRow(props: OptionRowProps) {
  const { option, index, count, multiple, onMove } = props;
  const rich = useRichText({ multiline: false });
  const [isTelling, setTelling] = useState(false);
  const number = index + 1;
  const feedback = option.feedback ?? '';
  const actions = [
    ...moveActions(index, count, onMove),
    { icon: IconMathFunction, label: 'Формула', onClick: () => rich.run('formula') },
    { icon: IconPhoto, label: 'Картинка', onClick: () => rich.run('picture') },
    {
      icon: IconMessage,
      label: 'Отзыв на этот вариант',
      onClick: () => setTelling(true),
    },
  ];
  return (
    <SortableRow
      id={option.optionId}
      handleLabel={`Переставить вариант ${number}`}
      handleClassName={cx('focus-inside', classes.handle)}
      className={classes.option}
    >
      {(handle) => (
        <>
          {handle}
          <RightMark
            number={number}
            multiple={multiple}
            checked={option.isRight}
            onChange={props.onRight}
          />
          <Box className={classes.text}>
            <LineField
              label={`Вариант ${number}`}
              value={option.text}
              placeholder={`Вариант ${number}`}
              rich={rich}
              onChange={props.onText}
              onEnter={props.onEnter}
              onErase={props.onErase}
              onLines={props.onLines}
            />
          </Box>
          <Text span className={classes.word} fz={15} fw={500} c="var(--app-ok-text)" aria-hidden>
            {option.isRight && 'Верный'}
          </Text>
          <Flex className={classes.buttons} align="center" h="var(--app-input)">
            <RowMenu label={`Действия с вариантом ${number}`} actions={actions} />
            <ActionIcon aria-label={`Удалить вариант ${number}`} onClick={props.onRemove}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </Flex>
          {(isTelling || feedback !== '') && (
            <FeedbackField
              label={`Отзыв на вариант ${number}`}
              value={feedback}
              onChange={props.onFeedback}
            />
          )}
        </>
      )}
    </SortableRow>
  );
}
