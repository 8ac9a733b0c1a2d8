import { Flex, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { waitingTestsQuery } from '#app/authoring/queries.ts';
import { cx } from '#app/ui/cx.ts';
import list from '#app/ui/data/list.module.css';
import classes from './TestsToGrade.module.css';
import { WaitingWork } from './WaitingWork.tsx';

/** Own tests with answers to grade; renders nothing if there are none or they are not loaded. */
export function TestsToGrade() {
  const { data: tests = [] } = useQuery(waitingTestsQuery);
  if (tests.length === 0) return null;
  return (
    <Flex component="section" direction="column" gap="xs" mt="lg" aria-labelledby="tests-to-grade">
      <Title id="tests-to-grade" order={2} fz={18} lh={1.4}>
        Проверить
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
