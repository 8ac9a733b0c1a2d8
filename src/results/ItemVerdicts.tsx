import type { AttemptResult } from '#contract/results.ts';
import { itemPoints } from './result-words.ts';
import classes from './ResultView.module.css';
import { VerdictPill } from './VerdictPill.tsx';

/** Question by question: number, verdict, points, and the teacher's words. */
export function ItemVerdicts({ items }: Pick<AttemptResult, 'items'>) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>Вопросы</h3>
      <ol className={classes.items}>
        {items.map(({ questionId, number, verdict, points, maxPoints, comment }) => (
          <li key={questionId} className={classes.item}>
            <span className={classes.number}>{number}</span>
            <span>
              <VerdictPill verdict={verdict} />
            </span>
            <span className={classes.points}>{itemPoints(points, maxPoints)}</span>
            {comment !== null && comment !== '' && <p className={classes.comment}>{comment}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
