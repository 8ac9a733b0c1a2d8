import { IconUserSearch } from '@tabler/icons-react';
import type { AttemptResult } from '#contract/results.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { DefinitionRows, type DefinitionRow } from '#app/ui/DefinitionRows.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { StatePill } from '#app/ui/StatePill.tsx';
import { correctAnswersWords, headlineOf, latenessWords, pendingWords } from './result-words.ts';
import classes from './ResultView.module.css';

interface When {
  now: number;
  timeZone: string;
}

/** The score with what is still open, or why there is none yet. */
function Headline({ result, when }: { result: AttemptResult; when: When }) {
  const headline = headlineOf(result, when);
  const pending = pendingWords(result);
  if (headline.kind === 'none') return <p>{headline.words}</p>;
  return (
    <div>
      <p className={classes.label}>{headline.label}</p>
      <p className={classes.score}>
        <strong>{headline.score}</strong>
        <span className={classes.of}>{headline.of}</span>
      </p>
      {pending !== null && (
        <StatePill icon={IconUserSearch} tone="warn">
          {pending}
        </StatePill>
      )}
      {headline.rest !== null && <p className={classes.rest}>{headline.rest}</p>}
    </div>
  );
}

function rowsOf(
  result: AttemptResult,
  isTeacher: boolean,
  { now, timeZone }: When,
): DefinitionRow[] {
  const { unansweredNumbers } = result;
  const rows: DefinitionRow[] = [
    {
      label: 'Попытка',
      value: `${result.attemptNumber} из ${result.attemptsCount}${result.trial ? ', пробная' : ''}`,
    },
    {
      label: 'Без ответа',
      value:
        unansweredNumbers.length === 0 ? 'нет' : formatCount(unansweredNumbers.length, QUESTIONS),
    },
  ];
  if (result.finishedAt !== null) {
    rows.push({
      label: result.end === 'closed' ? 'Закрыта по времени' : 'Сдано',
      value: formatMoment(new Date(result.finishedAt), now, timeZone),
    });
  }
  if (isTeacher && result.lastReceivedAt !== null) {
    rows.push({
      label: 'Последний ответ дошёл',
      value: formatMoment(new Date(result.lastReceivedAt), now, timeZone),
    });
  }
  rows.push({
    label: 'Верные ответы',
    value: correctAnswersWords(result.correctAnswersFrom, { now, timeZone }),
  });
  return rows;
}

export interface ResultViewProps {
  result: AttemptResult;
  /** Who looks: the student himself, or the teacher of the test. */
  viewerId: string;
}

/** The facts of one attempt: score, what waits, attempt number, what is unanswered. */
export function ResultView({ result, viewerId }: ResultViewProps) {
  const { serverNow, timeZone } = useDevice();
  const when = { now: serverNow(), timeZone };
  const isTeacher = result.userId !== viewerId;
  const lateness = latenessWords(result);
  return (
    <>
      {isTeacher && <p className={classes.who}>{result.userName}</p>}
      <Headline result={result} when={when} />
      {lateness.length > 0 && <InlineNote>{lateness.join(' ')}</InlineNote>}
      <DefinitionRows rows={rowsOf(result, isTeacher, when)} />
    </>
  );
}
