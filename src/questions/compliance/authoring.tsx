import { Text } from '@mantine/core';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import { letterOf } from '#domain/format.ts';
import classes from '#app/questions/authoring.module.css';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { withNames } from '#app/questions/placeholders.ts';
import { PairsPart } from './PairsPart.tsx';

function KeyView({ question }: KeyViewProps<'compliance'>) {
  const place = (rightId: string) => question.right.findIndex((item) => item.rightId === rightId);
  const paired = new Set(question.pairs.map(({ rightId }) => rightId));
  const spare = question.right.filter(({ rightId }) => !paired.has(rightId));
  return (
    <>
      <ol className={classes.key}>
        {question.left.map(({ leftId, text }, index) => {
          const pair = question.pairs.find((one) => one.leftId === leftId);
          const right = pair && question.right[place(pair.rightId)];
          return (
            <li key={leftId}>
              <span>
                {index + 1}. {renderInline(text)} –{' '}
                {right && pair ? (
                  <Text span inherit c="var(--app-ok-text)" fw={500}>
                    {letterOf(place(pair.rightId))}. {renderInline(right.text)}
                  </Text>
                ) : (
                  <Text span inherit c="dimmed">
                    пары нет
                  </Text>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {spare.length > 0 && (
        <Text inherit c="dimmed">
          Лишние справа:{' '}
          {spare.map(({ rightId, text }, index) => (
            <span key={rightId}>
              {index > 0 && ', '}
              {renderInline(text)}
            </span>
          ))}
        </Text>
      )}
    </>
  );
}

export const complianceAuthoring: KindAuthoring<'compliance'> = {
  Editor: PairsPart,
  KeyView,
  hasParts: ({ left, right }) => left.length > 0 && right.length > 0,
  withPlaceholders: (question) => ({
    ...question,
    left: withNames(question.left, 'слева'),
    right: withNames(question.right, 'справа'),
  }),
};
