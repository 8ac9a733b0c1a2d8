import { Box, Flex } from '@mantine/core';
import classes from './Ticks.module.css';

/** State of a question as the ticks, the grid and the modal show it. */
export interface QuestionMark {
  answered: boolean;
  /** Marked for review by the student. */
  marked: boolean;
}

export interface TicksProps {
  questions: readonly QuestionMark[];
  /** Index of the question shown, from 0. */
  current: number;
}

const MAX_TICKS = 40;

/** A share from 0 to 1 as a thin bar. */
export function Meter({ share, isWaiting = false }: { share: number; isWaiting?: boolean }) {
  return (
    <Box
      component="span"
      display="block"
      flex={1}
      h="6px"
      bd="1px solid var(--app-control)"
      bdrs="3px"
      className="clip"
    >
      <Box
        component="span"
        display="block"
        w={`${Math.min(1, share) * 100}%`}
        h="100%"
        style={{ transition: 'width 160ms ease-out' }}
        bg={isWaiting ? 'var(--app-control)' : 'var(--app-primary)'}
      />
    </Box>
  );
}

/** The position in the test, as a picture only. The modal «Все вопросы» has the buttons. */
export function Ticks({ questions, current }: TicksProps) {
  if (questions.length > MAX_TICKS) {
    const answered = questions.filter((question) => question.answered).length;
    return (
      <Flex align="center" gap="sm" h={6} fz="xs" lh={1} className="tabular" aria-hidden>
        <Meter share={answered / questions.length} />
        <span>
          {answered} из {questions.length}
        </span>
      </Flex>
    );
  }
  return (
    <Flex gap={3} aria-hidden>
      {questions.map(({ answered, marked }, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- the place in the test is what a tick stands for
          key={index}
          className={classes.tick}
          data-answered={answered || undefined}
          data-marked={marked || undefined}
          data-here={index === current || undefined}
        />
      ))}
    </Flex>
  );
}
