import { useMutation, useQueryClient } from '@tanstack/react-query';
import { setProjectHidden } from '#contract/projects.ts';
import { call } from '#app/api/call.ts';
import { renewProject } from './queries.ts';

/** Hides a project from the showcase, or shows it again. */
export function useSetHidden() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isHidden }: { id: string; isHidden: boolean }) =>
      call(setProjectHidden, { params: { id }, body: { isHidden } }),
    onSuccess: (_reply, { id }) => renewProject(client, id),
  });
}
