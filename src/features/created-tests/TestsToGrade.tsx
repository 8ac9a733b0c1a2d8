import { Flex, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { Link } from '@tanstack/react-router';
import type { CreatedTest } from '#contract/authoring.ts';
import { waitingTestsQuery } from './queries.ts';
import list from '#app/ui/data/list.module.css';
import { WaitingWork } from './WaitingWork.tsx';
import { cx } from '#app/ui/cx.ts';

const ROW = {
  '--phone-columns': 'minmax(0, 1fr)',
  '--row-gap': 0,
  paddingBlock: '0.5rem',
} as CSSProperties;

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
      <ul className={cx(list.list, 'card-from-desktop')}>
        {tests.map((test) => (
          <li key={test.id} className={list.row} style={ROW}>
            <Link
              to="/tests/manage/$testId/grading"
              params={{ testId: test.id }}
              className="tap self-start"
              style={{ color: 'var(--app-text)', justifySelf: 'start' }}
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
