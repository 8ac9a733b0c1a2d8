import { Text } from '@mantine/core';
import { acceptedInGap, withGapText } from '#domain/gaps.ts';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import classes from '#app/questions/authoring.module.css';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { isEmpty, withNames } from '#app/questions/placeholders.ts';
import { GapsPart } from './GapsPart.tsx';

const KeyView = ({ question }: KeyViewProps<'gaps'>) => (
  <ol className={classes.key}>
    {question.gaps.map((gap) => (
      <li key={gap.gapId}>
        <span>
          ({gap.gapId}){' '}
          <Text span inherit c="var(--app-ok-text)" fw={500}>
            <InLanguage>{acceptedInGap(gap).join(' | ')}</InLanguage>
          </Text>
          {gap.input === 'choice' && (
            <Text span inherit c="dimmed">
              {' '}
              из: <InLanguage>{gap.options.map(({ text }) => text).join(', ')}</InLanguage>
            </Text>
          )}
        </span>
      </li>
    ))}
  </ol>
);

export const gapsAuthoring: KindAuthoring<'gaps'> = {
  Editor: GapsPart,
  KeyView,
  withText: withGapText,
  hasParts: ({ text }) => !isEmpty(text),
  withPlaceholders: (question) => ({
    ...question,
    gaps: question.gaps.map((gap) =>
      gap.input === 'choice' ? { ...gap, options: withNames(gap.options, 'вариант') } : gap,
    ),
  }),
};
