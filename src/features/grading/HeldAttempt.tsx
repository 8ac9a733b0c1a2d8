import { Box, Button, Flex, Group, Text } from '@mantine/core';
import { IconCheck, IconUserSearch, IconX } from '@tabler/icons-react';
import type { HeldOfAttempt } from '#contract/grading.ts';
import { formatNumber } from '#domain/format.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { formatHeldTime } from './messages.ts';

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
  const { hasMarkdownAnswers = false } = questionRules(answer.answer);
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
    <Flex component="li" className="line-between" direction="column" gap="xs" py="sm">
      <Group gap="0.25rem 1rem" align="baseline">
        <h3>{name}</h3>
        <DecisionPill decision={decision} />
      </Group>
      <Box fz="sm" lh={1.43} c="dimmed">
        <RichText text={answer.questionText} />
      </Box>
      <Text fw={500} className="break-anywhere pre-wrap">
        {hasMarkdownAnswers ? <RichText inline text={answer.answerText} /> : answer.answerText}
      </Text>
      <Text size="sm" className="tabular">
        {formatHeldTime(answer, attempt.deadline, { now: serverNow(), timeZone })}
      </Text>
      <Group gap="0.5rem 1rem">
        {decision !== 'accepted' && button('accepted', 'Принять')}
        {decision !== 'refused' && button('refused', 'Отклонить')}
      </Group>
    </Flex>
  );
}

const formatMark = (score: number | null): string =>
  score === null ? 'попытка ещё идёт' : formatNumber(score);

/** One student's held answers, with the mark now, with all accepted, and with none. */
export function HeldAttempt(props: HeldAttemptProps) {
  const { attempt, isBusy, onDecide } = props;
  const { answers, attemptNumber, groups, userName } = attempt;
  const ids = answers.map((answer) => answer.operationId);
  const titleId = `held-${attempt.attemptId}`;
  return (
    <Flex
      component="article"
      direction="column"
      gap="sm"
      p="md"
      bd="1px solid var(--app-line)"
      bdrs="lg"
      bg="var(--app-surface)"
      aria-labelledby={titleId}
    >
      <Flex component="header" gap="0.25rem 1rem" align="baseline" wrap="wrap">
        <h2 id={titleId}>{userName}</h2>
        {attempt.trial && <TrialPill />}
        <Text size="sm" c="dimmed">
          {[...groups, `попытка ${attemptNumber}`].join(' · ')}
        </Text>
      </Flex>
      <DefinitionRows
        rows={[
          {
            label: `Оценка сейчас, из ${formatNumber(attempt.maxScore)}`,
            value: formatMark(attempt.score),
          },
          { label: 'Если принять все', value: formatMark(attempt.scoreIfAccepted) },
          { label: 'Если отклонить все', value: formatMark(attempt.scoreIfRefused) },
        ]}
      />
      <QuestionPictures>
        <Box component="ul" mt={-8}>
          {answers.map((answer) => (
            <Answer key={answer.operationId} {...props} answer={answer} />
          ))}
        </Box>
      </QuestionPictures>
      {answers.length > 1 && (
        <Group gap="0.5rem 1rem">
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
        </Group>
      )}
    </Flex>
  );
}
