import { Flex, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { useNow } from '#app/lib/use-now.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { overlayLocalAttempts, useLocalAttempts } from './local-attempts.ts';
import { nextTests } from './next-tests.ts';
import { myTestsQuery } from './queries.ts';
import { TestList } from './TestList.tsx';

const EVERY_MS = 15_000;

/** The tests to take next; renders nothing if there are none or they are still being loaded. */
export function NextTests({ owner }: { owner: string }) {
  const { data, problem, retry } = usePageQuery(myTestsQuery);
  const localAttempts = useLocalAttempts(owner);
  const now = useNow(EVERY_MS);
  const next = data ? nextTests(overlayLocalAttempts(data.data.items, localAttempts, now)) : [];
  if (problem !== null) return <QueryProblem what="list" error={problem} onRetry={retry} />;
  if (!data || next.length === 0) return null;
  return (
    <Flex component="section" direction="column" gap="xs" mt="sm" aria-labelledby="next-tests">
      <Title id="next-tests" order={2} fz={18} lh={1.4}>
        Пройти
      </Title>
      <SavedAt savedAt={data.savedAt} />
      <TestList items={next} owner={owner} />
      <Link to="/tests/my" className="tap self-start">
        Все назначенные тесты
      </Link>
    </Flex>
  );
}
