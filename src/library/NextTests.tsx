import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SavedAt } from '#app/offline/SavedAt.tsx';
import { useNow } from '#app/offline/use-now.ts';
import { overlayHeld, useHeldAttempts } from './held-attempts.ts';
import classes from './NextTests.module.css';
import { nextTests } from './next-tests.ts';
import { myTestsQuery } from './queries.ts';
import { TestList } from './TestList.tsx';

const EVERY_MS = 15_000;

/** What the person has to take next: nothing where there is nothing, or nobody knows. */
export function NextTests({ owner }: { owner: string }) {
  const { data } = useQuery(myTestsQuery);
  const held = useHeldAttempts(owner);
  const now = useNow(EVERY_MS);
  const next = data ? nextTests(overlayHeld(data.data.items, held, now)) : [];
  if (!data || next.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="next-tests">
      <h2 id="next-tests" className={classes.heading}>
        Пройти
      </h2>
      <SavedAt savedAt={data.savedAt} />
      <TestList items={next} owner={owner} />
      <Link to="/tests/my" className={classes.all}>
        Все назначенные тесты
      </Link>
    </section>
  );
}
