import {
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconUserSearch,
  IconX,
} from '@tabler/icons-react';
import type { AttemptResult, ItemVerdict } from '#contract/results.ts';
import type { IconType } from '#app/ui/icon-type.ts';
import { StatePill, type Tone } from '#app/ui/StatePill.tsx';
import { itemPoints, verdictWords } from './result-words.ts';
import classes from './ResultView.module.css';

const SIGNS: Readonly<Record<ItemVerdict, { icon: IconType; tone: Tone }>> = {
  right: { icon: IconCheck, tone: 'ok' },
  partial: { icon: IconCircleHalf2, tone: 'warn' },
  wrong: { icon: IconX, tone: 'bad' },
  unanswered: { icon: IconCircleDashed, tone: 'quiet' },
  pending: { icon: IconUserSearch, tone: 'warn' },
};

/** Question by question: number, verdict, points, and the teacher's words. */
export function ItemVerdicts({ items }: Pick<AttemptResult, 'items'>) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>Вопросы</h3>
      <ol className={classes.items}>
        {items.map(({ questionId, number, verdict, points, maxPoints, comment }) => {
          const { icon, tone } = SIGNS[verdict];
          return (
            <li key={questionId} className={classes.item}>
              <span className={classes.number}>{number}</span>
              <span>
                <StatePill icon={icon} tone={tone}>
                  {verdictWords(verdict)}
                </StatePill>
              </span>
              <span className={classes.points}>{itemPoints(points, maxPoints)}</span>
              {comment !== null && comment !== '' && <p className={classes.comment}>{comment}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
