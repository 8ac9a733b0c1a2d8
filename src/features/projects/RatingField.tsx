import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatCount } from '#domain/format.ts';
import { STARS } from '#domain/labels-projects.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { showReply } from '#app/lib/show-reply.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { rateProject } from '#contract/projects.ts';
import { call } from '#app/api/call.ts';
import { STARS_CHOICES, withMyRating, type Stars } from './rate.ts';
import { projectQuery, renewLists } from './queries.ts';

/** Rates a project optimistically, with rollback on failure. Quick changes are sent in order. */
function useRate(projectId: string) {
  const client = useQueryClient();
  const { queryKey } = projectQuery(projectId);
  return useMutation({
    mutationKey: ['projects', 'rate', projectId],
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
    onSuccess: async (rated) => {
      const others = client.isMutating({ mutationKey: ['projects', 'rate', projectId] });
      // Only the last of several settles the state.
      if (others === 1) {
        await showReply(client, queryKey, (project) => project && { ...project, ...rated });
      }
      void renewLists(client);
    },
  });
}

/** The own rating of a project, one to five stars; can be changed. */
export function RatingField({
  projectId,
  myRating,
}: {
  projectId: string;
  myRating: number | null;
}) {
  const name = useId();
  const rate = useRate(projectId);
  return (
    <fieldset>
      <Box component="legend" fw={500}>
        Ваша оценка
      </Box>
      <Group gap={0} ms={-9}>
        {STARS_CHOICES.map((stars) => {
          const isLit = myRating !== null && stars <= myRating;
          const icon = isLit ? IconStarFilled : IconStar;
          return (
            <ActionIcon
              key={stars}
              component="label"
              className="frame-of-focus"
              style={{ outlineOffset: -3 }}
              w="2.75rem"
              h="2.75rem"
              c={isLit ? 'var(--app-link)' : 'dimmed'}
            >
              <input
                type="radio"
                className="hit-area"
                name={name}
                value={stars}
                checked={myRating === stars}
                aria-label={formatCount(stars, STARS)}
                onChange={() => rate.mutate(stars)}
              />
              <Icon of={icon} size={26} />
            </ActionIcon>
          );
        })}
        <Text span size="sm" c="dimmed" ms="xs">
          {myRating === null ? 'Вы ещё не оценили' : formatCount(myRating, STARS)}
        </Text>
      </Group>
      <div role="alert">
        {rate.error && (
          <FieldError>{`Оценка не сохранилась. ${describeFailure(rate.error)}`}</FieldError>
        )}
      </div>
    </fieldset>
  );
}
