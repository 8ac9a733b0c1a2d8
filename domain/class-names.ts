/** A class in a list of choices. */
interface NamedClass {
  readonly groupId: string;
  readonly name: string;
  /** Name of the teacher. */
  readonly owner: string;
}

/** «9А», «9 а» and «9-А» are the same class to people. */
export const classKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '') || name;

/** «9А · О. В. Лаптева» */
export const withTeacher = ({ name, owner }: Pick<NamedClass, 'name' | 'owner'>): string =>
  owner === '' ? name : `${name} · ${owner}`;

/** Names by id. A class gets the name of its teacher if another teacher has a class of the same name. */
export function nameClasses(classes: readonly NamedClass[]): ReadonlyMap<string, string> {
  const teachers = new Map<string, Set<string>>();
  for (const { name, owner } of classes)
    teachers.set(classKey(name), (teachers.get(classKey(name)) ?? new Set()).add(owner));
  return new Map(
    classes.map((each) => {
      const hasNamesake = (teachers.get(classKey(each.name))?.size ?? 0) > 1;
      return [each.groupId, hasNamesake ? withTeacher(each) : each.name];
    }),
  );
}
