import { useQuery } from '@tanstack/react-query';
import type { AccessLevel } from '#contract/sharing.ts';
import { reaches } from '#domain/access-level.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';

/** Whether the viewer has this level of access to a test; false until known. */
export function useMayManage(testId: string, needed: AccessLevel): boolean {
  const { data } = useQuery(settingsQuery(testId));
  return data !== undefined && reaches(data.level, needed);
}
