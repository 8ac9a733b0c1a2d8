import { Box, Flex } from '@mantine/core';
import { IconBookmarkFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './QuestionGrid.module.css';
import type { QuestionMark } from './Ticks.tsx';

export interface QuestionGridProps {
  questions: readonly QuestionMark[];
  /** Index of the question shown, from 0. */
  current: number;
  onSelect: (index: number) => void;
}

function nameOf({ answered, marked }: QuestionMark, index: number, here: boolean): string {
  const words = [`Вопрос ${index + 1}`, answered ? 'есть ответ' : 'без ответа'];
  if (marked) words.push('отмечен');
  if (here) words.push('сейчас здесь');
  return words.join(', ');
}

const Sign = ({ children }: { children: ReactNode }) => (
  <Flex component="li" align="center" gap={6}>
    {children}
  </Flex>
);

function Legend() {
  return (
    <Flex
      component="ul"
      direction={{ base: 'row', md: 'column' }}
      wrap="wrap"
      gap="0.375rem 1.25rem"
      mt={14}
      mb="sm"
      fz="xs"
      lh="sm"
      c="dimmed"
      aria-hidden
    >
      <Sign>
        <span className={classes.sample} data-answered />
        есть ответ
      </Sign>
      <Sign>
        <span className={classes.sample} />
        без ответа
      </Sign>
      <Sign>
        <IconBookmarkFilled size={16} color="var(--app-warn-text)" />
        отмечен
      </Sign>
      <Sign>
        <span className={classes.sample} data-here />
        сейчас здесь
      </Sign>
    </Flex>
  );
}

const FIVE = { gridTemplateColumns: 'repeat(5, minmax(0, 1fr))', gap: '0.5rem' };

/** All questions as buttons with their states, and the legend. */
export function QuestionGrid({ questions, current, onSelect }: QuestionGridProps) {
  return (
    <>
      <Box component="ol" display="grid" style={FIVE}>
        {questions.map((question, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the place in the test is the question's name here
          <li key={index}>
            <button
              type="button"
              className={classes.question}
              data-answered={question.answered || undefined}
              data-here={index === current || undefined}
              aria-current={index === current ? 'step' : undefined}
              aria-label={nameOf(question, index, index === current)}
              onClick={() => onSelect(index)}
            >
              {index + 1}
              {question.marked && (
                <IconBookmarkFilled
                  size={14}
                  color="var(--app-warn-text)"
                  className={classes.bookmark}
                  aria-hidden
                />
              )}
            </button>
          </li>
        ))}
      </Box>
      <Legend />
    </>
  );
}
