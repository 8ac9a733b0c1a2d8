import { Button } from '@mantine/core';
import { IconCheck, IconUserSearch, IconX } from '@tabler/icons-react';
import type { HeldOfAttempt } from '#contract/grading.ts';
import { formatNumber } from '#domain/format.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { DefinitionRows } from '#app/ui/DefinitionRows.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { StatePill } from '#app/ui/StatePill.tsx';
import { TrialPill } from '#app/ui/TrialPill.tsx';
import classes from './grading.module.css';
import { heldTimeWords } from './words.ts';

export type Decision = 'accepted' | 'refused';
type HeldAnswer = HeldOfAttempt['answers'][number];

export interface HeldAttemptProps {
  attempt: HeldOfAttempt;
  isBusy: boolean;
  onDecide: (operationIds: readonly string[], decision: Decision) => void;
}

function DecisionPill({ decision }: { decision: Decision | null }) {
  if (decision === null)
    return (
      <StatePill icon={IconUserSearch} tone="warn">
        Ждёт решения
      </StatePill>
    );
  return decision === 'accepted' ? (
    <StatePill icon={IconCheck} tone="ok">
      Принят
    </StatePill>
  ) : (
    <StatePill icon={IconX} tone="quiet">
      Отклонён
    </StatePill>
  );
}

function Answer({ answer, attempt, isBusy, onDecide }: HeldAttemptProps & { answer: HeldAnswer }) {
  const { serverNow, timeZone } = useDevice();
  const { decision, operationId, number } = answer;
  const name = number > 0 ? `Вопрос ${number}` : 'Вопроса в тесте больше нет';
  const isRich = answer.answer.kind === 'variant' || answer.answer.kind === 'compliance';
  const button = (of: Decision, label: string) => (
    <Button
      size="sm"
      variant="default"
      loading={isBusy}
      aria-label={`${label}: ${attempt.userName}, ${name}`}
      onClick={() => onDecide([operationId], of)}
    >
      {label}
    </Button>
  );
  return (
    <li className={classes.held}>
      <div className={classes.heldHead}>
        <h3>{name}</h3>
        <DecisionPill decision={decision} />
      </div>
      <div className={classes.dimmed}>
        <RichText text={answer.questionText} />
      </div>
      <p className={classes.heldAnswer}>
        {isRich ? <RichText inline text={answer.answerText} /> : answer.answerText}
      </p>
      <p className={classes.heldTime}>
        {heldTimeWords(answer, attempt.deadline, { now: serverNow(), timeZone })}
      </p>
      <div className={classes.buttons}>
        {decision !== 'accepted' && button('accepted', 'Принять')}
        {decision !== 'refused' && button('refused', 'Отклонить')}
      </div>
    </li>
  );
}

const markWords = (score: number | null): string =>
  score === null ? 'попытка ещё идёт' : formatNumber(score);

/** One student's held answers, with the mark as it is, with all of them, and with none. */
export function HeldAttempt(props: HeldAttemptProps) {
  const { attempt, isBusy, onDecide } = props;
  const { answers, attemptNumber, groups, userName } = attempt;
  const ids = answers.map((answer) => answer.operationId);
  const titleId = `held-${attempt.attemptId}`;
  return (
    <article className={classes.card} aria-labelledby={titleId}>
      <header className={classes.heldHead}>
        <h2 id={titleId}>{userName}</h2>
        {attempt.trial && <TrialPill />}
        <p className={classes.dimmed}>{[...groups, `попытка ${attemptNumber}`].join(' · ')}</p>
      </header>
      <DefinitionRows
        rows={[
          {
            label: `Оценка сейчас, из ${formatNumber(attempt.maxScore)}`,
            value: markWords(attempt.score),
          },
          { label: 'Если принять все', value: markWords(attempt.scoreIfAccepted) },
          { label: 'Если отклонить все', value: markWords(attempt.scoreIfRefused) },
        ]}
      />
      <ul>
        {answers.map((answer) => (
          <Answer key={answer.operationId} {...props} answer={answer} />
        ))}
      </ul>
      {answers.length > 1 && (
        <div className={classes.buttons}>
          <Button
            size="sm"
            variant="default"
            loading={isBusy}
            aria-label={`Принять все ответы: ${userName}`}
            onClick={() => onDecide(ids, 'accepted')}
          >
            Принять все ответы
          </Button>
          <Button
            size="sm"
            variant="default"
            loading={isBusy}
            aria-label={`Отклонить все ответы: ${userName}`}
            onClick={() => onDecide(ids, 'refused')}
          >
            Отклонить все ответы
          </Button>
        </div>
      )}
    </article>
  );
}
