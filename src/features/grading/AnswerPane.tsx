import { ActionIcon, Box, Flex, Group, Text } from '@mantine/core';
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconHistory,
  IconKey,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { creditMessage } from '#domain/labels-credit.ts';
import { answerStateShort } from '#domain/labels-answer.ts';
import { hasKeyFields } from '#app/questions/KeyFields.tsx';
import { QuestionText } from '#app/questions/QuestionText.tsx';
import { useDevice } from '#app/lib/device-services.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { Passage } from '#app/ui/taking/Passage.tsx';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { ShortcutsHelp, type ShortcutsListProps } from '#app/ui/overlays/ShortcutsHelp.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { useMayManage } from '#app/lib/sharing/use-may-manage.ts';
import { cx } from '#app/ui/cx.ts';
import { ShortcutsModal, type ShortcutRow } from '#app/ui/overlays/ShortcutsModal.tsx';
import { GradedAnswer } from './GradedAnswer.tsx';
import { DeleteAttempt } from './DeleteAttempt.tsx';
import { GradeForm, type GradeFormProps } from './GradeForm.tsx';
import { GradeLog } from './GradeLog.tsx';
import classes from './grading.module.css';
import { KeyModal } from './KeyModal.tsx';
import { itemOf } from './queue.ts';
import { formatGrade, formatMoment } from './messages.ts';

const KEYS: readonly ShortcutRow[] = [
  ['Следующий ответ', '→', 'J'],
  ['Предыдущий ответ', '←', 'K'],
  ['Соседний ответ из поля', 'Alt', 'J или K'],
  ['Сохранить оценку', 'Ctrl', 'Enter'],
  ['Список клавиш', '?'],
];

/** The keys of «Проверка». */
function GradingShortcuts({ onClose }: ShortcutsListProps) {
  return <ShortcutsModal title="Клавиши проверки" rows={KEYS} hasSwitch onClose={onClose} />;
}

export interface AnswerPaneProps extends GradeFormProps {
  testId: string;
  place: { index: number; count: number };
  /** Opened by the user, not preselected as the first of the list. */
  isOpened: boolean;
  isOneAttempt: boolean;
  onStep: (by: 1 | -1) => void;
  onBack: () => void;
  onDeleted: () => void;
}

type Opened = 'log' | 'key' | 'delete' | null;

/** A newly opened answer is scrolled to its start. */
function toItsStart(pane: HTMLElement | null): void {
  if (!pane) return;
  const { top } = pane.getBoundingClientRect();
  if (top < 0 || top > window.innerHeight / 2) pane.scrollIntoView({ block: 'start' });
}

function Steps({ place, onStep }: Pick<AnswerPaneProps, 'place' | 'onStep'>) {
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        aria-label="Предыдущий ответ"
        aria-disabled={place.index === 0}
        onClick={() => onStep(-1)}
      >
        <Icon of={IconChevronLeft} />
      </ActionIcon>
      <Text span size="sm" c="dimmed" className="tabular">
        {place.index + 1} из {place.count}
      </Text>
      <ActionIcon
        aria-label="Следующий ответ"
        aria-disabled={place.index + 1 >= place.count}
        onClick={() => onStep(1)}
      >
        <Icon of={IconChevronRight} />
      </ActionIcon>
      <ShortcutsHelp list={GradingShortcuts} />
    </Group>
  );
}

/** One answer with its question, grade form and further actions. */
export function AnswerPane(props: AnswerPaneProps) {
  const { testId, entry, place, onStep, onBack, isOneAttempt } = props;
  const { serverNow, timeZone } = useDevice();
  const [opened, setOpened] = useState<Opened>(null);
  const mayEdit = useMayManage(testId, 'edit');
  const { question, attemptId, questionId } = entry;
  const titleId = `graded-${itemOf(entry)}`;
  const close = () => setOpened(null);
  return (
    <Flex
      component="article"
      ref={props.isOpened ? toItsStart : undefined}
      className={cx('card-from-desktop', classes.answer)}
      direction="column"
      gap="md"
      miw={0}
      maw={{ md: '50rem' }}
      p={{ md: '1.5rem' }}
      style={{ scrollMarginTop: '5rem' }}
      aria-labelledby={titleId}
    >
      <Flex component="header" gap="0.25rem 1rem" align="center" wrap="wrap">
        <div className="to-desktop">
          <QuietButton icon={IconArrowLeft} onClick={onBack}>
            К списку
          </QuietButton>
        </div>
        <Box flex="1 1 12rem" miw={0}>
          <h2 id={titleId}>{entry.userName}</h2>
          {entry.trial && <TrialPill />}
          <Text size="sm" c="dimmed">
            Вопрос {entry.number}
            {entry.attemptNumber > 1 && `, попытка ${entry.attemptNumber}`} · {formatGrade(entry)}
            {entry.grader !== null &&
              entry.gradedAt !== null &&
              `, ${entry.grader} ${formatMoment(entry.gradedAt, { now: serverNow(), timeZone })}`}
          </Text>
        </Box>
        <Steps place={place} onStep={onStep} />
      </Flex>
      {question.passage && <Passage unfolded={false} keyed passage={question.passage} />}
      <Text component="div" size="lg" maw="68ch" textWrap="pretty">
        <QuestionText question={question} answer={entry.answer} />
      </Text>
      <Transcript keyed of={question} />
      {entry.receivedLate && (
        <StatePill icon={IconHistory} tone="warn">
          {answerStateShort('late')}
        </StatePill>
      )}
      {question.credit !== undefined && <InlineNote>{creditMessage(question.credit)}</InlineNote>}
      <GradedAnswer question={question} answer={entry.answer} />
      <GradeForm
        {...props}
        // A modal open over this answer may contain unsaved input, so it stays open.
        onSaved={(saved, notice, isDone) => props.onSaved(saved, notice, isDone && opened === null)}
      />
      <Group className="line-above" gap="0 1.25rem" pt="xs" fz="sm">
        <Link
          className="tap"
          to="/tests/manage/$testId/grading"
          params={{ testId }}
          search={isOneAttempt ? { questionId, show: 'all' } : { attemptId }}
        >
          {isOneAttempt ? 'Этот вопрос у всех' : 'Все ответы ученика'}
        </Link>
        <QuietButton icon={IconHistory} onClick={() => setOpened('log')}>
          История оценок
        </QuietButton>
        {mayEdit && (
          <QuietButton icon={IconKey} onClick={() => setOpened('key')}>
            {hasKeyFields(question) ? 'Исправить ключ…' : 'Засчитать иначе…'}
          </QuietButton>
        )}
        {isOneAttempt && mayEdit && (
          <QuietButton icon={IconTrash} onClick={() => setOpened('delete')}>
            Удалить попытку…
          </QuietButton>
        )}
      </Group>
      <GradeLog opened={opened === 'log'} onClose={close} entry={entry} />
      {opened === 'key' && (
        <KeyModal testId={testId} question={question} number={entry.number} onClose={close} />
      )}
      <DeleteAttempt
        opened={opened === 'delete'}
        onClose={close}
        entry={entry}
        onDeleted={props.onDeleted}
      />
    </Flex>
  );
}
