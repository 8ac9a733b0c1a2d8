/** Kinds of files that a teacher chooses among, each with what the file picker takes for it. */
export const FILE_GROUPS = [
  { name: 'Изображения', accept: ['image/*'], also: /^image\/|^\.(jpe?g|png|webp|gif|heic)$/ },
  { name: 'PDF', accept: ['.pdf'], also: /^\.pdf$|^application\/pdf$/ },
  {
    name: 'Документы Word',
    accept: ['.doc', '.docx'],
    also: /^\.docx?$|^application\/msword$|wordprocessingml/,
  },
  {
    name: 'Таблицы',
    accept: ['.xls', '.xlsx', '.ods'],
    also: /^\.(xlsx?|ods)$|ms-excel|spreadsheet/,
  },
  { name: 'Архивы ZIP', accept: ['.zip'], also: /^\.zip$|zip/ },
] as const;

export type FileGroup = (typeof FILE_GROUPS)[number];

export const hasGroup = (accept: readonly string[], { also }: FileGroup): boolean =>
  accept.some((type) => also.test(type.toLowerCase()));

/** The list with a group put in or taken out; what belongs to no group stays. */
export function withGroup(accept: readonly string[], group: FileGroup, wanted: boolean): string[] {
  const rest = accept.filter((type) => !group.also.test(type.toLowerCase()));
  return wanted ? [...rest, ...group.accept] : rest;
}

/** Types that no group knows: imported ones stay until they are taken out. */
export const otherTypes = (accept: readonly string[]): string[] =>
  accept.filter((type) => !FILE_GROUPS.some(({ also }) => also.test(type.toLowerCase())));
