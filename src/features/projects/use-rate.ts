import { useMutation, useQueryClient } from '@tanstack/react-query';
import { rateProject } from '#contract/projects.ts';
import { call } from '#app/api/call.ts';
import { projectQuery, renewLists } from './queries.ts';
import { withMyRating, type Stars } from './rate.ts';

/** Rates a project optimistically, with rollback on failure. Quick changes are sent in order. */
export function useRate(projectId: string) {
  const client = useQueryClient();
  const { queryKey } = projectQuery(projectId);
  return useMutation({
    mutationKey: ['projects/rate', projectId],
    scope: { id: `rate ${projectId}` },
    mutationFn: (stars: Stars) => call(rateProject, { params: { id: projectId }, body: { stars } }),
    onMutate: async (stars) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      if (before) client.setQueryData(queryKey, withMyRating(before, stars));
      return before;
    },
    onError: (_error, _stars, before) => {
      if (before) client.setQueryData(queryKey, before);
    },
    onSuccess: (rated) => {
      const others = client.isMutating({ mutationKey: ['projects/rate', projectId] });
      // Only the last of several settles the state.
      if (others === 1) {
        client.setQueryData(queryKey, (project) => project && { ...project, ...rated });
      }
      void renewLists(client);
    },
  });
}
