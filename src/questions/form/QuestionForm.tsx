import { Flex, Group, Paper, Stack, Title } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import type { Passage, Question } from '#contract/questions.ts';
import {
  changeKind,
  FORM_KINDS,
  formKindOf,
  type FormKind,
  type OtherKinds,
} from '#domain/change-kind.ts';
import { plural, POINTS } from '#domain/format.ts';
import { KIND_LABELS } from '#domain/labels-kinds.ts';
import { hasRecording } from '#domain/recordings.ts';
import { withoutCredit } from '#domain/bank.ts';
import { creditMessage } from '#domain/labels-credit.ts';
import { newId } from '#app/lib/new-id.ts';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import type { Transcribed } from '#app/ui/taking/Transcript.tsx';
import { kindAuthoring, withText } from '#app/questions/kind-authoring.ts';
import { DetailsPart } from './DetailsPart.tsx';
import { NumberInput } from './NumberInput.tsx';
import { optional } from './parts.ts';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import { useLocalPictures } from './picture-cache.ts';
import { placeProblems } from './problems.ts';
import classes from './QuestionForm.module.css';
import { RichTextField, type RichTextHandle } from './RichTextField.tsx';
import { TranscriptFields } from './TranscriptFields.tsx';

/** The number of questions with remembered other kinds while the page is open. */
const MAX_REMEMBERED = 100;

const remembered = new Map<string, OtherKinds>();

/** A question's properties in its previous kinds, across closing and reopening of its form. */
const otherKindsOf = (questionId: string): OtherKinds => remembered.get(questionId) ?? {};

function rememberKinds(questionId: string, others: OtherKinds): void {
  remembered.delete(questionId);
  remembered.set(questionId, others);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

export interface QuestionFormProps {
  /** Number in the test from 1, if it has one. */
  readonly number: number | null;
  readonly question: Question;
  /** `field` names the edited field: consecutive changes to it form one undo step. */
  readonly onChange: (question: Question, field: string) => void;
  /** Texts that other questions of the test share, offered to this one. */
  readonly passages?: readonly Passage[];
  /** Russian messages: what prevents publishing this question. */
  readonly problems: readonly string[];
  /** Buttons at the right of the head: duplicate, delete. */
  readonly actions?: React.ReactNode;
}

const KINDS = FORM_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

/** Whether to show the transcript, also if its recording is gone, so that it can be removed. */
const hasTranscript = (transcribed: Transcribed) =>
  hasRecording(transcribed) || (transcribed.transcript ?? '') !== '';

const NO_PASSAGES: readonly Passage[] = [];
const POINT_BOUNDS = { min: 0, max: 10_000, digits: 2, empty: 0 };

/** Properties dropped by the last change of kind, and the kind that restores them. */
interface Aside {
  readonly parts: string;
  readonly kind: FormKind;
}

/** Changes the kind. The dropped properties are restored when the kind is chosen again. */
function useKindChange(question: Question, onChange: QuestionFormProps['onChange']) {
  const [aside, setAside] = useState<(Aside & { questionId: string }) | null>(null);
  const { questionId } = question;
  const onKind = (to: FormKind) => {
    const changed = changeKind(question, to, otherKindsOf(questionId), newId);
    rememberKinds(questionId, changed.others);
    setAside(
      changed.setAside === null
        ? null
        : { parts: changed.setAside, kind: formKindOf(question), questionId },
    );
    onChange(changed.question, `kind:${to}`);
  };
  return { aside: aside?.questionId === questionId ? aside : null, onKind };
}

/** The question's number, kind and points. */
function FormHead({
  id,
  number,
  question,
  problem,
  actions,
  onKind,
  onPoints,
}: Pick<QuestionFormProps, 'number' | 'question' | 'actions'> & {
  readonly id: string;
  readonly problem: string;
  readonly onKind: (kind: FormKind) => void;
  readonly onPoints: (points: number) => void;
}) {
  return (
    <header className={cx('line-below', classes.head)}>
      <Title id={`${id}-name`} order={2} className="tabular" fz="md" lts={0} lh="var(--app-input)">
        {number === null ? 'Вопрос' : `Вопрос ${number}`}
      </Title>
      <Group className={classes.tools} gap="xs" align="flex-start">
        <SelectField
          label="Вид вопроса"
          labelHidden
          native
          className={classes.kind}
          choices={KINDS}
          value={formKindOf(question)}
          onChange={onKind}
        />
        <NumberInput
          key={question.questionId}
          id={`${id}-points`}
          label="Баллы за вопрос"
          value={question.points}
          bounds={POINT_BOUNDS}
          error={problem}
          unit={plural(question.points, POINTS)}
          onChange={onPoints}
        />
        <Flex align="center" h="var(--app-input)" ml="auto">
          {actions}
        </Flex>
      </Group>
    </header>
  );
}

/** Above the fields: problems of no field, and what became of parts and points. */
function FormNotes({
  problems,
  aside,
  credit,
  onWithoutCredit,
}: {
  readonly problems: readonly string[];
  readonly aside: Aside | null;
  readonly credit: Question['credit'];
  readonly onWithoutCredit: () => void;
}) {
  return (
    <>
      {problems.length > 0 && (
        <div role="status">
          {problems.map((problem) => (
            <FieldError key={problem}>{problem}</FieldError>
          ))}
        </div>
      )}
      {aside && (
        <InlineNote role="status">
          {aside.parts} не пропали: вернутся, если снова выбрать «{KIND_LABELS[aside.kind]}», пока
          открыт редактор.
        </InlineNote>
      )}
      {credit !== undefined && (
        <InlineNote>
          <span>{creditMessage(credit)}</span>{' '}
          <QuietButton onClick={onWithoutCredit}>Считать по ключу</QuietButton>
        </InlineNote>
      )}
    </>
  );
}

/** The text that questions share, and the transcript of its recording. */
function PassageFields({
  passage,
  isInTest,
  onChange,
}: {
  readonly passage: Passage;
  /** Whether it is edited for all questions of the test that share it. */
  readonly isInTest: boolean;
  readonly onChange: (passage: Passage, field: string) => void;
}) {
  const { passageId, text } = passage;
  return (
    <>
      <RichTextField
        label="Общий текст"
        description={
          isInTest
            ? 'Один на несколько вопросов: правка видна во всех. Ученик видит его рядом с каждым из них.'
            : 'Один на несколько вопросов теста. Здесь он меняется только у этого вопроса.'
        }
        value={text}
        error=""
        onChange={(next) => onChange({ ...passage, text: next }, 'passage')}
      />
      {hasTranscript(passage) && (
        <TranscriptFields
          of="passage"
          value={passage}
          onChange={(transcribed, field) =>
            onChange({ passageId, text, ...transcribed }, `passage:${field}`)
          }
        />
      )}
    </>
  );
}

/** The form of a question of any kind. */
export function QuestionForm({
  number,
  question,
  onChange,
  problems,
  passages = NO_PASSAGES,
  actions,
}: QuestionFormProps) {
  const id = useId();
  const { aside, onKind } = useKindChange(question, onChange);
  const textField = useRef<RichTextHandle>(null);
  const pictures = useLocalPictures();
  const placed = placeProblems(problems);
  // The transcript of a recording in the explanation is edited there.
  const { passage, explanation = '', ...own } = question;
  const { questionId } = own;
  const { Editor } = kindAuthoring(question);

  const onExplanation = (text: string) => {
    const { explanation: _, ...rest } = question;
    onChange({ ...rest, ...optional('explanation', text) }, 'explanation');
  };

  return (
    <Pictures value={pictures}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a file dropped beside a field would leave the page */}
      <Paper
        component="article"
        className={classes.form}
        aria-labelledby={`${id}-name`}
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault();
        }}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          textField.current?.addPictures([...event.dataTransfer.files]);
        }}
      >
        <FormHead
          id={id}
          number={number}
          question={question}
          problem={placed.points.join('. ')}
          actions={actions}
          onKind={onKind}
          onPoints={(points) => onChange({ ...question, points }, 'points')}
        />
        <Stack key={questionId} p="0.75rem 1rem 1rem">
          <FormNotes
            problems={placed.rest}
            aside={aside}
            credit={question.credit}
            onWithoutCredit={() => onChange(withoutCredit(question), 'credit')}
          />
          {passage && (
            <PassageFields
              passage={passage}
              isInTest={number !== null}
              onChange={(next, field) => onChange({ ...question, passage: next }, field)}
            />
          )}
          <RichTextField
            label="Текст вопроса"
            value={question.text}
            error={placed.text.join('. ')}
            onChange={(text) => onChange(withText(question, text), 'text')}
            handle={textField}
          />
          {hasTranscript(own) && (
            <TranscriptFields
              of="question"
              value={question}
              onChange={(transcribed, field) => {
                const { transcript: _, transcriptShown: __, ...rest } = question;
                onChange({ ...rest, ...transcribed }, field);
              }}
            />
          )}
          <Editor
            question={question}
            problems={placed.parts}
            onChange={onChange}
            selection={() => textField.current?.selection() ?? { start: Infinity, end: Infinity }}
          />
          <RichTextField
            label="Пояснение после ответа"
            low
            description="Ученик прочитает его вместе с верными ответами, когда их можно видеть."
            value={explanation}
            error=""
            onChange={onExplanation}
          />
          <DetailsPart question={question} passages={passages} onChange={onChange} />
        </Stack>
      </Paper>
    </Pictures>
  );
}
