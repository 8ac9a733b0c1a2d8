import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { waitingTestsQuery } from './queries.ts';
import classes from './TestsToGrade.module.css';
import { WaitingWork } from './WaitingWork.tsx';

/** Own tests with answers that wait for their teacher: nothing where none waits, or nobody knows. */
export function TestsToGrade() {
  const { data: tests = [] } = useQuery(waitingTestsQuery);
  if (tests.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="tests-to-grade">
      <h2 id="tests-to-grade" className={classes.heading}>
        Проверить
      </h2>
      <ul className={classes.list}>
        {tests.map((test) => (
          <li key={test.id} className={classes.row}>
            <Link
              to="/tests/manage/$testId/grading"
              params={{ testId: test.id }}
              className={classes.title}
            >
              {test.title}
            </Link>
            <WaitingWork test={test} />
          </li>
        ))}
      </ul>
    </section>
  );
}
