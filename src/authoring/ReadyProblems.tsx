import { Link } from '@tanstack/react-router';
import * as v from 'valibot';
import { NotReadyDetails } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';
import classes from './authoring.module.css';

/** Why a test cannot be published; `questionId` null: the test as a whole. */
export type ReadyProblem = v.InferOutput<typeof NotReadyDetails>['problems'][number];

/** What the server said a publication lacks; null: it failed otherwise. */
export function problemsOf(error: unknown): ReadyProblem[] | null {
  if (!(error instanceof ApiFailure) || error.code !== 'TEST_NOT_READY') return null;
  const parsed = v.safeParse(NotReadyDetails, error.details);
  return parsed.success ? parsed.output.problems : null;
}

/** What a publication lacks, each line leading to its question. */
export function ReadyProblems({
  testId,
  problems,
  lead,
  onFollow,
}: {
  testId: string;
  problems: readonly ReadyProblem[];
  lead: string;
  onFollow: () => void;
}) {
  return (
    <>
      <p>{lead}</p>
      <ul className={classes.problems}>
        {problems.map(({ questionId, message }) => (
          <li key={`${questionId} ${message}`}>
            <Link
              to="/tests/manage/$testId/edit/custom"
              params={{ testId }}
              onClick={onFollow}
              {...(questionId === null ? {} : { hash: `question-${questionId}` })}
            >
              {message}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
