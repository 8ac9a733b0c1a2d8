import { Text } from '@mantine/core';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import { IconCheck, IconCircle, IconSquare } from '@tabler/icons-react';
import classes from '#app/questions/authoring.module.css';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { withNames } from '#app/questions/placeholders.ts';
import { OptionsPart } from './OptionsPart.tsx';

function KeyView({ question }: KeyViewProps<'variant'>) {
  const Empty = question.multiple ? IconSquare : IconCircle;
  return (
    <ul className={classes.key}>
      {question.options.map(({ optionId, text, isRight }) => (
        <Text
          key={optionId}
          component="li"
          inherit
          {...(isRight && { c: 'var(--app-ok-text)', fw: 500 })}
        >
          {isRight ? (
            <IconCheck size={20} stroke={2} aria-hidden />
          ) : (
            <Empty size={20} stroke={1.75} aria-hidden />
          )}
          <span>
            {renderInline(text)}
            {isRight && ' (верный)'}
          </span>
        </Text>
      ))}
    </ul>
  );
}

export const variantAuthoring: KindAuthoring<'variant'> = {
  Editor: OptionsPart,
  KeyView,
  hasParts: ({ options }) => options.length > 0,
  withPlaceholders: (question) => ({
    ...question,
    options: withNames(question.options, 'вариант'),
  }),
};
