import { Box, Button, Flex, Group, Paper, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AiWish } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import type { Theme } from '#contract/themes.ts';
import { formatPoints } from '#domain/format.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { questionKindLabel } from '#domain/labels-kinds.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { QuestionLabel } from '#app/questions/QuestionLabel.tsx';
import { readableText } from '#domain/format-gaps.ts';
import { QuestionKey } from '#app/questions/QuestionKey.tsx';
import { QuestionForm } from '#app/questions/form/QuestionForm.tsx';
import { StudentView } from '#app/questions/form/StudentView.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import classes from './ai.module.css';
import { useRevision } from './use-revision.ts';
import { wishesOf } from './wishes.ts';
import { WishField } from './WishField.tsx';
import type { PendingDraft } from './work.ts';

export interface DraftCardProps {
  /** Number among the drafts, from 1. */
  readonly number: number;
  readonly draft: PendingDraft;
  /** Number of the question in the test, once accepted. */
  readonly place: number | null;
  /** «Похоже на вопрос 3» with a link; null: not similar to any. */
  readonly similar: ReactNode;
  readonly theme: Theme | '';
  /** Whether it can be regenerated. */
  readonly canAsk: boolean;
  readonly onAccept: () => void;
  readonly onTakeBack: () => void;
  readonly onRefuse: (isRefused: boolean) => void;
  readonly onEdit: (question: Question) => void;
  readonly onRevised: (question: Question) => void;
  /** Restores the previous version. */
  readonly onRestore: () => void;
}

/** Kind, points and difficulty: «Один ответ · 1 балл · сложность: лёгкая». */
function metaOf(question: Question): string {
  const { points, difficulty } = question;
  return [
    questionKindLabel(question),
    formatPoints(points),
    ...(difficulty === undefined
      ? []
      : [`сложность: ${difficultyLabel(difficulty).toLowerCase()}`]),
  ].join(' · ');
}

function Decided({
  children,
  action,
  isFocused,
  onAction,
}: {
  children: ReactNode;
  action: string;
  isFocused: boolean;
  onAction: () => void;
}) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isFocused) row.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isFocused]);
  return (
    <li ref={row}>
      <Group gap="0 0.75rem" px="md" py={4} bd="1px solid var(--app-line)" bdrs="lg" c="dimmed">
        <Text flex={1} miw={0} truncate>
          {children}
        </Text>
        <QuietButton icon={IconArrowBackUp} onClick={onAction}>
          {action}
        </QuietButton>
      </Group>
    </li>
  );
}

type CardMode = 'read' | 'edit' | 'wish' | 'student';

function DraftBody({
  mode,
  question,
  problems,
  onEdit,
}: Pick<DraftCardProps, 'onEdit'> & {
  mode: CardMode;
  question: Question;
  problems: readonly string[];
}) {
  return mode === 'edit' ? (
    <QuestionForm number={null} question={question} problems={problems} onChange={onEdit} />
  ) : mode === 'student' ? (
    <StudentView number={null} question={question} />
  ) : (
    <>
      <Box mb="sm">
        <RichText className="measure" text={readableText(question)} />
      </Box>
      <QuestionKey question={question} />
    </>
  );
}

function DraftNotes({
  draft,
  similar,
  problems,
  revision,
  onRestore,
}: Pick<DraftCardProps, 'draft' | 'similar' | 'onRestore'> & {
  problems: readonly string[];
  revision: ReturnType<typeof useRevision>;
}) {
  return (
    <div className={classes.notes}>
      {similar}
      {draft.before && !revision.isBusy && (
        <InlineNote
          role="status"
          action={
            <QuietButton icon={IconArrowBackUp} onClick={onRestore}>
              Вернуть прежний
            </QuietButton>
          }
        >
          ИИ написал вопрос по-новому.
        </InlineNote>
      )}
      {problems.length > 0 && (
        <InlineNote tone="warn">Прежде чем публиковать: {problems.join('; ')}.</InlineNote>
      )}
      <div role="alert">
        {revision.problem !== null && <InlineNote tone="bad">{revision.problem}</InlineNote>}
      </div>
    </div>
  );
}

function DraftButtons({
  mode,
  setMode,
  onAccept,
  onRefuse,
}: {
  mode: CardMode;
  setMode: (mode: CardMode) => void;
  onAccept: () => void;
  onRefuse: () => void;
}) {
  return (
    <Group gap="xs" mt="md">
      <Button size="sm" leftSection={<Icon of={IconCheck} />} onClick={onAccept}>
        Принять
      </Button>
      {mode === 'edit' ? (
        <Button size="sm" variant="default" onClick={() => setMode('read')}>
          Готово
        </Button>
      ) : (
        <Button
          size="sm"
          variant="default"
          leftSection={<Icon of={IconPencil} />}
          onClick={() => setMode('edit')}
        >
          Изменить
        </Button>
      )}
      <Button size="sm" variant="default" leftSection={<Icon of={IconX} />} onClick={onRefuse}>
        Отклонить
      </Button>
      {mode !== 'edit' && (
        <QuietButton
          pressed={mode === 'student'}
          onClick={() => setMode(mode === 'student' ? 'read' : 'student')}
        >
          Как увидит ученик
        </QuietButton>
      )}
    </Group>
  );
}

/** One draft with its key; can be accepted, edited, regenerated or refused. */
export function DraftCard(props: DraftCardProps) {
  const { number, draft, place, similar } = props;
  const { question } = draft;
  const revision = useRevision(props.theme);
  const [mode, setMode] = useState<CardMode>('read');
  // The pressed button is unmounted; the undo button gets the focus.
  const [isDecidedHere, setDecidedHere] = useState(false);
  const decide = (how: () => void) => {
    setDecidedHere(true);
    setMode('read');
    how();
  };
  if (place !== null) {
    return (
      <Decided action="Отменить" isFocused={isDecidedHere} onAction={props.onTakeBack}>
        Принят, вопрос {place}: <QuestionLabel question={question} />
      </Decided>
    );
  }
  if (draft.isRefused) {
    return (
      <Decided action="Вернуть" isFocused={isDecidedHere} onAction={() => props.onRefuse(false)}>
        Отклонён: <QuestionLabel question={question} />
      </Decided>
    );
  }
  const problems = publishingProblems([question]).map(({ message }) =>
    message.replace(/^Вопрос 1: /, ''),
  );
  const ask = (wish: AiWish, wishes = '') => {
    setMode('read');
    revision.ask(question, wish, wishes, props.onRevised);
  };
  const name = `Черновик ${number}`;
  return (
    <Paper
      component="li"
      p="md"
      id={`draft-${question.questionId}`}
      className={classes.card}
      bd={revision.isBusy ? '1px dashed var(--app-control)' : undefined}
      tabIndex={-1}
    >
      <Flex align="center" gap="xs" m="-0.375rem -0.5rem 0.5rem 0">
        <Title order={3} flex={1} miw={0} fz="sm">
          {name}{' '}
          <Text span inherit c="dimmed" fw={400}>
            · {metaOf(question)}
          </Text>
        </Title>
        {props.canAsk && !revision.isBusy && (
          <RowMenu
            label={`Попросить ИИ: ${name.toLowerCase()}`}
            actions={wishesOf(question.kind).map(({ wish, label, icon }) => ({
              icon,
              label,
              onClick: () => (wish === 'own' ? setMode('wish') : ask(wish)),
            }))}
          />
        )}
      </Flex>
      <DraftBody mode={mode} question={question} problems={problems} onEdit={props.onEdit} />
      <DraftNotes
        draft={draft}
        similar={similar}
        problems={mode === 'edit' ? [] : problems}
        revision={revision}
        onRestore={props.onRestore}
      />
      {mode === 'wish' && (
        <WishField onAsk={(wishes) => ask('own', wishes)} onClose={() => setMode('read')} />
      )}
      {revision.isBusy ? (
        <Group gap="xs" mt="md">
          <p role="status">ИИ пишет этот вопрос по-новому…</p>
          <Button size="sm" variant="default" onClick={revision.stop}>
            Остановить
          </Button>
        </Group>
      ) : (
        <DraftButtons
          mode={mode}
          setMode={setMode}
          onAccept={() => decide(props.onAccept)}
          onRefuse={() => decide(() => props.onRefuse(true))}
        />
      )}
    </Paper>
  );
}
