import { Flex, Text } from '@mantine/core';
import { IconUserSearch } from '@tabler/icons-react';
import type { AttemptResult } from '#contract/results.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { formatMoment, type Zone } from '#domain/format-time.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { DefinitionRows, type DefinitionRow } from '#app/ui/data/DefinitionRows.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { correctAnswersMessage, headlineOf, latenessMessage, pendingMessage } from './messages.ts';

interface When {
  now: number;
  timeZone: Zone;
}

/** The score with pending questions, or why there is none yet. */
function Headline({ result, when }: { result: AttemptResult; when: When }) {
  const headline = headlineOf(result, when);
  const pending = pendingMessage(result);
  if (headline.kind === 'none') return <p>{headline.message}</p>;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {headline.label}
      </Text>
      <Flex component="p" wrap="wrap" align="baseline" gap="0 0.625rem" mb="xs">
        <Text component="strong" fz={44} fw={600} lh={1.05} className="tabular">
          {headline.score}
        </Text>
        <Text span size="lg" c="dimmed">
          {headline.of}
        </Text>
      </Flex>
      {pending !== null && (
        <StatePill icon={IconUserSearch} tone="warn">
          {pending}
        </StatePill>
      )}
      {headline.rest !== null && (
        <Text size="sm" textWrap="pretty" c="dimmed" mt="sm">
          {headline.rest}
        </Text>
      )}
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
    value: correctAnswersMessage(result.correctAnswersFrom, { now, timeZone }),
  });
  return rows;
}

export interface ResultViewProps {
  result: AttemptResult;
  /** The viewer: the student or the teacher of the test. */
  viewerId: string;
}

/** Facts of one attempt: score, ungraded questions, attempt number, unanswered questions. */
export function ResultView({ result, viewerId }: ResultViewProps) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const when = { now: serverNow(), timeZone };
  const isTeacher = result.userId !== viewerId;
  const lateness = latenessMessage(result);
  return (
    <>
      {isTeacher && (
        <Text inherit c="dimmed">
          {result.userName}
        </Text>
      )}
      <Headline result={result} when={when} />
      {lateness.length > 0 && <InlineNote>{lateness.join(' ')}</InlineNote>}
      <DefinitionRows rows={rowsOf(result, isTeacher, when)} />
    </>
  );
}
