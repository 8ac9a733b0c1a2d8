import { Flex } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import * as v from 'valibot';
import { NotReadyDetails } from '#contract/errors.ts';
import { isRefusal } from '#app/api/failure.ts';

/** Why a test cannot be published; `questionId` null: the test as a whole. */
export type ReadyProblem = v.InferOutput<typeof NotReadyDetails>['problems'][number];

/** Missing requirements of a publication from the server's refusal; null: another failure. */
export function problemsOf(error: unknown): ReadyProblem[] | null {
  if (!isRefusal(error, 'TEST_NOT_READY')) return null;
  const parsed = v.safeParse(NotReadyDetails, error.details);
  return parsed.success ? parsed.output.problems : null;
}

/** Missing requirements of a publication, each linked to its question. */
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
      <Flex component="ul" direction="column" gap={4} mt="sm">
        {problems.map(({ questionId, message }) => (
          <li key={`${questionId} ${message}`}>
            <Link
              className="tap"
              to="/tests/manage/$testId/edit/custom"
              params={{ testId }}
              onClick={onFollow}
              {...(questionId === null ? {} : { hash: `question-${questionId}` })}
            >
              {message}
            </Link>
          </li>
        ))}
      </Flex>
    </>
  );
}
