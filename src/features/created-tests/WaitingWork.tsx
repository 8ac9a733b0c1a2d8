import { Flex } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CreatedTest } from '#contract/authoring.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import classes from './WaitingWork.module.css';
import { cx } from '#app/ui/cx.ts';

const GRADES: Forms = ['ответ на проверке', 'ответа на проверке', 'ответов на проверке'];
const HELD: Forms = ['ответ ждёт решения', 'ответа ждут решения', 'ответов ждут решения'];
const RUNNING: Forms = ['попытка идёт', 'попытки идут', 'попыток идут'];

/** Links to the teacher's pending grading work. */
export function WaitingWork({ test }: { test: CreatedTest }) {
  const params = { testId: test.id };
  const { runningAttempts, pendingGrades, heldAnswers } = test;
  if (runningAttempts + pendingGrades + heldAnswers === 0) return null;
  return (
    <Flex component="p" wrap="wrap" gap="0 1rem" fz="sm">
      {runningAttempts > 0 && (
        <Link
          to="/tests/manage/$testId/live"
          params={params}
          className={cx('tap', classes.waiting)}
        >
          {formatCount(runningAttempts, RUNNING)}
        </Link>
      )}
      {pendingGrades > 0 && (
        <Link
          to="/tests/manage/$testId/grading"
          params={params}
          className={cx('tap', classes.waiting)}
        >
          {formatCount(pendingGrades, GRADES)}
        </Link>
      )}
      {heldAnswers > 0 && (
        <Link
          to="/tests/manage/$testId/grading"
          params={params}
          className={cx('tap', classes.waiting)}
        >
          {formatCount(heldAnswers, HELD)}
        </Link>
      )}
    </Flex>
  );
}
