/** Groups of file types offered to teachers, with their `accept` values. */
export const FILE_GROUPS = [
  { name: 'Картинки', accept: ['image/*'], also: /^image\/|^\.(jpe?g|png|webp|gif|heic)$/ },
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

/** Adds or removes a group; types outside of groups stay. */
export function withGroup(accept: readonly string[], group: FileGroup, wanted: boolean): string[] {
  const rest = accept.filter((type) => !group.also.test(type.toLowerCase()));
  return wanted ? [...rest, ...group.accept] : rest;
}

/** Types outside of all groups, such as imported ones. */
export const otherTypes = (accept: readonly string[]): string[] =>
  accept.filter((type) => !FILE_GROUPS.some(({ also }) => also.test(type.toLowerCase())));
