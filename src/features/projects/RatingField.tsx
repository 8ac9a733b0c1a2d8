import { Box, Group, Text } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId } from 'react';
import { formatCount } from '#domain/format.ts';
import { STARS } from '#domain/labels-projects.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { STARS_CHOICES } from './rate.ts';
import classes from './RatingField.module.css';
import { useRate } from './use-rate.ts';

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
            <label key={stars} className={classes.star} data-lit={isLit || undefined}>
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
            </label>
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
