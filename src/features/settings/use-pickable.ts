import { useQuery } from '@tanstack/react-query';
import { ROLE } from '#contract/auth.ts';
import { formatCount } from '#domain/format.ts';
import { roleLabel } from '#domain/labels.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import type { Pickable } from '#app/ui/forms/PeoplePicker.tsx';
import { classesQuery, peopleQuery } from '#app/authoring/queries.ts';

interface Found {
  people: readonly Pickable[] | null;
  problem: string | null;
}

const STUDENTS = ['ученик', 'ученика', 'учеников'] as const;

/** People who can be assigned, fetched when a picker is opened. */
export function usePeople(enabled: boolean): Found {
  const { data, error } = useQuery({ ...peopleQuery, enabled });
  return {
    people:
      data?.items.map(({ userId, userName, role }) => ({
        id: userId,
        name: userName,
        detail: role === ROLE.student ? undefined : roleLabel(role),
      })) ?? null,
    problem: error && describeFailure(error),
  };
}

/** Classes that can be assigned, fetched when a picker is opened. */
export function useClasses(enabled: boolean): Found {
  const { data, error } = useQuery({ ...classesQuery, enabled });
  return {
    people:
      data?.items.map(({ groupId, name, memberCount }) => ({
        id: groupId,
        name,
        detail: formatCount(memberCount, STUDENTS),
      })) ?? null,
    problem: error && describeFailure(error),
  };
}
