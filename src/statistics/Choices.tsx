import { IconCheck, IconUserSearch, IconX } from '@tabler/icons-react';
import type { ItemStatistics } from '#contract/statistics.ts';
import { ANSWERS, formatCount, formatNumber, formatPercent } from '#domain/format.ts';
import { itemReadingMeaning } from '#domain/labels-statistics.ts';
import { RichText } from '#app/ui/RichText.tsx';
import { ShareBar } from '#app/ui/ShareBar.tsx';
import { StatePill } from '#app/ui/StatePill.tsx';
import classes from './Statistics.module.css';

type Choice = ItemStatistics['choices'][number];

function Rightness({ isRight }: Pick<Choice, 'isRight'>) {
  if (isRight === null) {
    return (
      <StatePill icon={IconUserSearch} tone="quiet">
        Проверяется
      </StatePill>
    );
  }
  return isRight ? (
    <StatePill icon={IconCheck} tone="ok">
      Верный
    </StatePill>
  ) : (
    <StatePill icon={IconX} tone="quiet">
      Неверный
    </StatePill>
  );
}

function ChoiceRow({ choice, isPlain }: { choice: Choice; isPlain: boolean }) {
  return (
    <li className={classes.choice}>
      <span className={classes.choiceText}>
        {isPlain ? choice.text : <RichText inline text={choice.text} />}
      </span>
      <Rightness isRight={choice.isRight} />
      <span className={classes.choiceShare}>
        <ShareBar share={choice.share} />
        {formatPercent(choice.share)}, {formatCount(choice.count, ANSWERS)}
      </span>
      <span className={classes.choiceRest}>
        {choice.meanRest !== null && `остальное решено на ${formatPercent(choice.meanRest)}`}
      </span>
    </li>
  );
}

function unlisted({ kind, choices, otherAnswers }: ItemStatistics): string | null {
  if (otherAnswers === 0) return null;
  if (choices.length > 0) return `Другие ответы: ${formatNumber(otherAnswers)}.`;
  return kind === 'file'
    ? `Сдано файлов: ${formatNumber(otherAnswers)}. Их проверяет преподаватель.`
    : `Развёрнутых ответов: ${formatNumber(otherAnswers)}. Их проверяет преподаватель.`;
}

/** What was answered to a question: each choice with its share, and how good those who chose it are. */
export function Choices({ item, id }: { item: ItemStatistics; id: string }) {
  const rest = unlisted(item);
  return (
    <div id={id} className={classes.choices}>
      <p>{itemReadingMeaning(item.reading)}</p>
      {item.choices.length > 0 && (
        <ul aria-label={`Ответы на вопрос ${item.number}`}>
          {item.choices.map((choice) => (
            <ChoiceRow key={choice.text} choice={choice} isPlain={item.kind === 'open'} />
          ))}
        </ul>
      )}
      {rest !== null && <p>{rest}</p>}
      {item.alternatives > 1 && (
        <p className={classes.quiet}>
          У этого вопроса разные варианты: {formatNumber(item.alternatives)}. Здесь все вместе,
          текст показан один из них.
        </p>
      )}
      {item.versions > 1 && (
        <p className={classes.quiet}>
          Вопрос менялся: версий {formatNumber(item.versions)}. Здесь все попытки, текст показан
          последний.
        </p>
      )}
    </div>
  );
}
