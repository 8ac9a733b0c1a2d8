import { Flex, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { useNow } from '#app/lib/use-now.ts';
import { overlayLocalAttempts, useLocalAttempts } from './local-attempts.ts';
import { nextTests } from './next-tests.ts';
import { myTestsQuery } from './queries.ts';
import { TestList } from './TestList.tsx';

const EVERY_MS = 15_000;

/** The tests to take next; renders nothing if there are none or they are not loaded. */
export function NextTests({ owner }: { owner: string }) {
  const { data } = useQuery(myTestsQuery);
  const localAttempts = useLocalAttempts(owner);
  const now = useNow(EVERY_MS);
  const next = data ? nextTests(overlayLocalAttempts(data.data.items, localAttempts, now)) : [];
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
