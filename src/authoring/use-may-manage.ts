import { useQuery } from '@tanstack/react-query';
import type { AccessLevel } from '#contract/sharing.ts';
import { reaches } from '#domain/access-level.ts';
import { settingsQuery } from './queries.ts';

/** Whether the viewer may do what needs the level with a test; false until it is known. */
export function useMayManage(testId: string, needed: AccessLevel): boolean {
  const { data } = useQuery(settingsQuery(testId));
  return data !== undefined && reaches(data.level, needed);
}
