import { Box, Flex } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CreatedTest } from '#contract/authoring.ts';
import { formatCount, type Forms } from '#domain/format.ts';

const GRADES: Forms = ['ответ на проверке', 'ответа на проверке', 'ответов на проверке'];
const HELD: Forms = ['ответ ждёт решения', 'ответа ждут решения', 'ответов ждут решения'];
const RUNNING: Forms = ['попытка идёт', 'попытки идут', 'попыток идут'];

/** A target above the link of its whole row. */
const LINK = {
  className: 'tap',
  pos: 'relative',
  mih: { base: '2.75rem', md: '1.75rem' },
  style: { zIndex: 1 },
} as const;

/** Links to the teacher's pending grading work. */
export function WaitingWork({ test }: { test: CreatedTest }) {
  const params = { testId: test.id };
  const { runningAttempts, pendingGrades, heldAnswers } = test;
  if (runningAttempts + pendingGrades + heldAnswers === 0) return null;
  return (
    <Flex component="p" wrap="wrap" gap="0 1rem" fz="sm">
      {runningAttempts > 0 && (
        <Box
          {...LINK}
          renderRoot={(props) => (
            <Link to="/tests/manage/$testId/live" params={params} {...props} />
          )}
        >
          {formatCount(runningAttempts, RUNNING)}
        </Box>
      )}
      {pendingGrades > 0 && (
        <Box
          {...LINK}
          renderRoot={(props) => (
            <Link to="/tests/manage/$testId/grading" params={params} {...props} />
          )}
        >
          {formatCount(pendingGrades, GRADES)}
        </Box>
      )}
      {heldAnswers > 0 && (
        <Box
          {...LINK}
          renderRoot={(props) => (
            <Link to="/tests/manage/$testId/grading" params={params} {...props} />
          )}
        >
          {formatCount(heldAnswers, HELD)}
        </Box>
      )}
    </Flex>
  );
}
