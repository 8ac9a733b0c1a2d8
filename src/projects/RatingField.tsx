import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId } from 'react';
import { formatCount } from '#domain/format.ts';
import { STARS } from '#domain/labels-projects.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { STARS_CHOICES } from './rate.ts';
import classes from './RatingField.module.css';
import { useRate } from './use-rate.ts';

/** One's own rating of a project, one to five stars; another choice changes it. */
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
    <fieldset className={classes.field}>
      <legend className={classes.legend}>Ваша оценка</legend>
      <div className={classes.stars}>
        {STARS_CHOICES.map((stars) => {
          const isLit = myRating !== null && stars <= myRating;
          const Icon = isLit ? IconStarFilled : IconStar;
          return (
            <label key={stars} className={classes.star} data-lit={isLit || undefined}>
              <input
                type="radio"
                name={name}
                value={stars}
                checked={myRating === stars}
                aria-label={formatCount(stars, STARS)}
                onChange={() => rate.mutate(stars)}
              />
              <Icon size={26} stroke={1.75} aria-hidden />
            </label>
          );
        })}
        <span className={classes.words}>
          {myRating === null ? 'Вы ещё не оценили' : formatCount(myRating, STARS)}
        </span>
      </div>
      <div role="alert">
        {rate.error && (
          <FieldError>{`Оценка не сохранилась. ${failureWords(rate.error)}`}</FieldError>
        )}
      </div>
    </fieldset>
  );
}
