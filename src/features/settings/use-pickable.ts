import { useQuery } from '@tanstack/react-query';
import { ROLE } from '#contract/auth.ts';
import { nameClasses } from '#domain/class-names.ts';
import { formatCount, STUDENTS } from '#domain/format.ts';
import { roleLabel } from '#domain/labels.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import type { Pickable, PickableKind } from '#app/ui/forms/PeoplePicker.tsx';
import { classesQuery, namesakeDetail, peopleQuery } from '#app/lib/school-queries.ts';

const NOBODY: Record<PickableKind, string> = {
  people: 'Пока никто не зарегистрирован.',
  classes: 'У вас пока нет классов. Их можно завести на странице «Классы».',
};

/** People or classes that can be assigned, fetched when a picker is opened; null: not known yet. */
export function usePickable(kind: PickableKind, enabled: boolean) {
  const people = useQuery({ ...peopleQuery, enabled: enabled && kind === 'people' });
  const classes = useQuery({ ...classesQuery, enabled: enabled && kind === 'classes' });
  const names = nameClasses(classes.data?.items ?? []);
  const { error } = kind === 'people' ? people : classes;
  const found: readonly Pickable[] | undefined =
    kind === 'people'
      ? people.data?.items.map((person) => ({
          id: person.userId,
          name: person.userName,
          detail:
            [
              person.role === ROLE.student ? undefined : roleLabel(person.role),
              namesakeDetail(person),
            ]
              .filter(Boolean)
              .join(' · ') || undefined,
        }))
      : classes.data?.items.map(({ groupId, name, memberCount }) => ({
          id: groupId,
          name: names.get(groupId) ?? name,
          detail: formatCount(memberCount, STUDENTS),
        }));
  return { people: found ?? null, problem: error && describeFailure(error), nobody: NOBODY[kind] };
}
