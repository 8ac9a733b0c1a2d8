import { Flex, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CreatedTest } from '#contract/authoring.ts';
import { waitingTestsQuery } from './queries.ts';
import { cx } from '#app/ui/cx.ts';
import list from '#app/ui/data/list.module.css';
import classes from './TestsToGrade.module.css';
import { WaitingWork } from './WaitingWork.tsx';

/** Own tests with answers to grade that are not on this page of the list; renders nothing if there are none. */
export function TestsToGrade({ listed }: { listed: readonly CreatedTest[] }) {
  const { data = [] } = useQuery(waitingTestsQuery);
  const tests = data.filter(({ id }) => listed.every((shown) => shown.id !== id));
  if (tests.length === 0) return null;
  return (
    <Flex component="section" direction="column" gap="xs" aria-labelledby="tests-to-grade">
      <Title id="tests-to-grade" order={2} fz={18} lh={1.4}>
        Проверить на других страницах
      </Title>
      <ul className={list.list}>
        {tests.map((test) => (
          <li key={test.id} className={cx(list.row, classes.row)}>
            <Link
              to="/tests/manage/$testId/grading"
              params={{ testId: test.id }}
              className={cx('tap', classes.title)}
            >
              {test.title}
            </Link>
            <WaitingWork test={test} />
          </li>
        ))}
      </ul>
    </Flex>
  );
}
