import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconUserSearch, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decideHolds, type HeldBegin } from '#contract/offers.ts';
import { ANSWERS, ATTEMPTS, formatCount } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { HOLD_LABELS } from '#domain/labels-begin.ts';
import { describeBegin, type BeginReport } from '#domain/labels-silence.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { Announcer } from '#app/ui/Announcer.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { useFocusAfter } from '#app/ui/use-focus-after.ts';
import type { GradingSearch } from './grading-search.ts';
import { holdsQuery, renewMarks } from './queries.ts';

type Decision = 'accept' | 'refuse';

const DECIDED = {
  accept: { icon: IconCheck, tone: 'ok', words: 'Начало принято' },
  refuse: { icon: IconX, tone: 'quiet', words: 'Начало отклонено' },
} as const;

const QUESTIONS = {
  accept: {
    title: 'Принять начало?',
    confirm: 'Принять',
    text: 'Ответы, данные в срок, засчитаются.',
  },
  refuse: {
    title: 'Отклонить начало?',
    confirm: 'Отклонить',
    text: 'Попытка не засчитается. Ответы останутся на сервере, и решение можно изменить.',
  },
} as const;

/** True of the begin that made the attempt: another device has its deadline. */
const DEADLINE = ' Срок считается от времени начала, которое указано в списке.';

/** Refused without the begin that made the attempt. */
const OTHERS_REFUSED =
  'Отклонится только второе устройство, попытка первого останется. Ответы второго, которые уже засчитаны, тоже останутся. Решение можно изменить.';
const SOME_OTHERS_REFUSED =
  ' Где отклонится только второе устройство, попытка первого останется, и ответы второго, которые уже засчитаны, тоже.';

/** What a decision about these begins does. */
function describeDecision(decision: Decision, begins: readonly HeldBegin[]): string {
  const { text } = QUESTIONS[decision];
  const first = begins.filter(({ isOtherDevice }) => !isOtherDevice);
  if (decision === 'accept') return first.length < begins.length ? text : text + DEADLINE;
  if (first.length === 0) return OTHERS_REFUSED;
  const attempts = (of: readonly HeldBegin[]) => new Set(of.map(({ attemptId }) => attemptId)).size;
  return attempts(first) < attempts(begins) ? text + SOME_OTHERS_REFUSED : text;
}

/** Two begins of one attempt are two rows: the second device is decided with the first one. */
const keyOf = ({ attemptId, stream }: HeldBegin) => `${attemptId}/${stream}`;

interface Decided {
  attemptIds: string[];
  decision: Decision;
  /** All listed begins of these attempts. */
  shown: Pick<HeldBegin, 'stream' | 'decision'>[];
}

const spokenDecision = ({ attemptIds, decision }: Decided): string =>
  `${DECIDED[decision].words}: ${formatCount(attemptIds.length, ATTEMPTS)}`;

function useDecide(testId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Decided) => call(decideHolds, { params: { id: testId }, body }),
    onSettled: () => renewMarks(client),
  });
}

const reportOf = ({ receivedAt, seenServerAt, isAgeUnknown }: HeldBegin): BeginReport => ({
  receivedAt: Date.parse(receivedAt),
  seenServerAt: seenServerAt === null ? null : Date.parse(seenServerAt),
  isAgeUnknown,
});

function BeginRow({
  begin,
  isChosen,
  onChoose,
}: {
  begin: HeldBegin;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}) {
  const { serverNow, timeZone } = useDevice();
  const moment = (iso: string) => formatMoment(Date.parse(iso), serverNow(), timeZone);
  const { userName, groups, attemptNumber, hold, decision, begunAt, deadline, heldAnswers } = begin;
  const decided = decision && DECIDED[decision];
  return (
    <li className="line-between">
      <ChoiceRow
        atTop
        py="sm"
        type="checkbox"
        checked={isChosen}
        disabled={!begin.isInQuestion}
        onChange={onChoose}
      >
        <Group component="span" gap="0.25rem 1rem" align="baseline">
          <Text span fw={500}>
            {userName}
          </Text>
          <Text span size="sm" c="dimmed">
            {[...groups, `попытка ${attemptNumber}`].join(' · ')}
          </Text>
          <StatePill icon={decided?.icon ?? IconUserSearch} tone={decided?.tone ?? 'warn'}>
            {decided?.words ?? 'Ждёт решения'}
          </StatePill>
        </Group>
        <Text span display="block" mt={2}>
          {HOLD_LABELS[hold]}
        </Text>
        <Text span display="block" mt={2} size="sm" c="dimmed" className="tabular">
          Начат: {moment(begunAt)}. Срок: {moment(deadline)}. Ждут:{' '}
          {formatCount(heldAnswers, ANSWERS)}
        </Text>
        <Text span display="block" mt={2} size="sm" c="dimmed" className="tabular">
          {describeBegin(reportOf(begin), serverNow(), timeZone)}
        </Text>
        {!begin.isInQuestion && (
          <Text span display="block" mt={2} size="sm" c="dimmed">
            Изменить решение можно, когда вы решите о другом начале этой попытки.
          </Text>
        )}
      </ChoiceRow>
    </li>
  );
}

/** The begins that are chosen for a decision. */
function useChoice(all: readonly HeldBegin[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const beginsOf = (id: string) => all.filter(({ attemptId }) => attemptId === id);
  const picked = all.filter((begin) => begin.isInQuestion && chosen.has(keyOf(begin)));
  const choose = (begins: readonly HeldBegin[], isChosen: boolean) =>
    setChosen((now) => {
      const next = new Set(now);
      for (const begin of begins)
        if (isChosen) next.add(keyOf(begin));
        else next.delete(keyOf(begin));
      return next;
    });
  return { picked, beginsOf, choose, chooseNone: () => setChosen(new Set()) };
}

const DECISIONS = ['accept', 'refuse'] as const;

/** Begins without a network that the evidence does not support: decided here, several at once. */
export function HeldBegins({ testId, search }: { testId: string; search: GradingSearch }) {
  const { data, error, refetch } = useQuery(holdsQuery(testId, search));
  const decide = useDecide(testId);
  const { picked, beginsOf, choose, chooseNone } = useChoice(data?.items ?? []);
  const [question, setQuestion] = useState<Decision | null>(null);
  // With nothing chosen, the pressed button is disabled.
  const [heading, focusHeading] = useFocusAfter<HTMLHeadingElement>();
  if (error && !data) return <QueryProblem error={error} onRetry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;
  const open = data.items.filter(({ decision }) => decision === null);
  const ask = (next: Decision) => {
    if (decide.isError) decide.reset();
    setQuestion(next);
  };
  const close = () => setQuestion(null);
  const attemptIds = [...new Set(picked.map(({ attemptId }) => attemptId))];
  const problem = decide.error ? describeFailure(decide.error) : null;
  return (
    <Stack component="section" gap="sm" maw="48rem" aria-labelledby="held-begins">
      <Title order={2} id="held-begins" ref={heading} tabIndex={-1}>
        Начала без сети
      </Title>
      <Text size="sm" c="dimmed">
        Ответы этих попыток сохранены и ждут вместе с началом. Часы устройства ничего не доказывают:
        решайте по тому, что знаете об уроке.
      </Text>
      <ul aria-label="Начала, о которых решаете вы">
        {data.items.map((begin) => {
          const isChosen = picked.includes(begin);
          const onChoose = (next: boolean) => choose([begin], next);
          return <BeginRow key={keyOf(begin)} {...{ begin, isChosen, onChoose }} />;
        })}
      </ul>
      <Group gap="0.5rem 1rem">
        {open.length > 1 && (
          <Button size="sm" variant="default" onClick={() => choose(open, true)}>
            Выбрать все без решения: {open.length}
          </Button>
        )}
        {DECISIONS.map((decision) => (
          <Button
            key={decision}
            size="sm"
            variant="default"
            disabled={picked.length === 0}
            onClick={() => ask(decision)}
          >
            {QUESTIONS[decision].confirm}…
          </Button>
        ))}
      </Group>
      <Announcer words={decide.isSuccess ? spokenDecision(decide.variables) : ''} />
      <div role="alert">
        {problem !== null && question === null && <FieldError>{problem}</FieldError>}
      </div>
      <ConfirmModal
        opened={question !== null && picked.length > 0}
        onClose={close}
        title={question === null ? '' : QUESTIONS[question].title}
        confirm={question === null ? '' : QUESTIONS[question].confirm}
        cancel="Не сейчас"
        isBusy={decide.isPending}
        problem={problem}
        onConfirm={() => {
          if (question === null) return;
          decide.mutate(
            {
              attemptIds,
              decision: question,
              shown: attemptIds
                .flatMap(beginsOf)
                .map(({ stream, decision }) => ({ stream, decision })),
            },
            {
              onSuccess: () => {
                chooseNone();
                close();
                focusHeading();
              },
            },
          );
        }}
      >
        <p>
          {formatCount(attemptIds.length, ATTEMPTS)}.{' '}
          {question !== null &&
            describeDecision(
              question,
              attemptIds.flatMap(beginsOf).filter(({ isInQuestion }) => isInQuestion),
            )}
        </p>
      </ConfirmModal>
    </Stack>
  );
}
