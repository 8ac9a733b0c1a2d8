import { IconCheck, IconX } from '@tabler/icons-react';
import { formatNumber, formatPercent } from '#domain/format.ts';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import classes from '#app/questions/authoring.module.css';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { OpenPart } from './OpenPart.tsx';

function KeyView({ question }: KeyViewProps<'open'>) {
  if (question.accepted.length === 0) {
    return <p className={classes.quiet}>Верных ответов не задано: проверяет преподаватель.</p>;
  }
  return (
    <>
      <p className={classes.quiet}>Верные ответы:</p>
      <ul className={classes.key}>
        {question.accepted.map(({ text, share }) => (
          <li key={text} className={share > 0 ? classes.right : classes.quiet}>
            {share > 0 ? (
              <IconCheck size={20} stroke={2} aria-hidden />
            ) : (
              <IconX size={20} stroke={2} aria-hidden />
            )}
            <span>
              <InLanguage>{text}</InLanguage>
              {share < 1 && ` (${formatPercent(share)} баллов)`}
            </span>
          </li>
        ))}
      </ul>
      {question.tolerance > 0 && (
        <p className={classes.quiet}>Допуск для чисел: ±{formatNumber(question.tolerance, 6)}</p>
      )}
    </>
  );
}

export const openAuthoring: KindAuthoring<'open'> = { Editor: OpenPart, KeyView };
