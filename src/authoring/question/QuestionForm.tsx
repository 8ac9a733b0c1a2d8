import { useId, useMemo, useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import {
  changeKind,
  FORM_KINDS,
  formKindOf,
  type ChangedKind,
  type FormKind,
} from '#domain/change-kind.ts';
import { plural, POINTS } from '#domain/format.ts';
import { newId } from '#app/offline/new-id.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { SelectField } from '#app/ui/SelectField.tsx';
import { DetailsPart } from './DetailsPart.tsx';
import { FilePart } from './FilePart.tsx';
import { otherKindsOf, rememberKinds } from './kind-memory.ts';
import { NumberInput } from './NumberInput.tsx';
import { OpenPart } from './OpenPart.tsx';
import { OptionsPart } from './OptionsPart.tsx';
import { PairsPart } from './PairsPart.tsx';
import { optional } from './parts.ts';
import { withLocalPictures } from './picture-cache.ts';
import { placeProblems } from './problems.ts';
import classes from './QuestionForm.module.css';
import { RichTextField, type AddPictures } from './RichTextField.tsx';

export interface QuestionFormProps {
  /** Place in the test from 1, where it has one. */
  readonly number: number | null;
  readonly question: Question;
  /** `field` names what was typed into: changes to the same one are one step of undo. */
  readonly onChange: (question: Question, field: string) => void;
  /** What stands between the question and a published test, in Russian. */
  readonly problems: readonly string[];
  /** As `RichText` takes it. */
  readonly resolve: (key: string) => Promise<string>;
  /** Buttons at the right of the head: duplicate, delete. */
  readonly actions?: React.ReactNode;
}

const KIND_LABELS: Readonly<Record<FormKind, string>> = {
  single: 'Один ответ',
  several: 'Несколько ответов',
  line: 'Ввод ответа',
  essay: 'Развёрнутый ответ',
  matching: 'Соответствие',
  file: 'Файл',
};
const KINDS = FORM_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

const SET_ASIDE: Readonly<Record<NonNullable<ChangedKind['setAside']>, string>> = {
  options: 'Варианты ответа',
  accepted: 'Верные ответы',
  pairs: 'Пары',
};

const POINT_BOUNDS = { min: 0, max: 10_000, digits: 2, empty: 0 };

/** What was set aside by the last change of kind, and under which kind it comes back. */
interface Aside {
  readonly parts: NonNullable<ChangedKind['setAside']>;
  readonly kind: FormKind;
}

function KindPart(props: {
  question: Question;
  onChange: QuestionFormProps['onChange'];
  problems: readonly string[];
  resolve: QuestionFormProps['resolve'];
}) {
  const { question } = props;
  switch (question.kind) {
    case 'variant':
      return <OptionsPart {...props} question={question} />;
    case 'open':
      return <OpenPart {...props} question={question} />;
    case 'compliance':
      return <PairsPart {...props} question={question} />;
    case 'file':
      return <FilePart {...props} question={question} />;
  }
}

/** Everything of one question, whatever its kind. */
export function QuestionForm({
  number,
  question,
  onChange,
  problems,
  resolve,
  actions,
}: QuestionFormProps) {
  const id = useId();
  const [aside, setAside] = useState<(Aside & { questionId: string }) | null>(null);
  const addPictures = useRef<AddPictures>(null);
  const pictures = useMemo(() => withLocalPictures(resolve), [resolve]);
  const placed = placeProblems(problems, question.kind);
  const { questionId } = question;
  const kind = formKindOf(question);

  const onKind = (to: FormKind) => {
    const changed = changeKind(question, to, otherKindsOf(questionId), newId);
    rememberKinds(questionId, changed.others);
    setAside(changed.setAside && { parts: changed.setAside, kind, questionId });
    onChange(changed.question, `kind:${to}`);
  };
  const onExplanation = (text: string) => {
    const { explanation: _, ...rest } = question;
    onChange({ ...rest, ...optional('explanation', text) }, 'explanation');
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a file dropped beside a field would leave the page
    <article
      className={classes.form}
      aria-labelledby={`${id}-name`}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        addPictures.current?.([...event.dataTransfer.files]);
      }}
    >
      <header className={classes.head}>
        <h2 id={`${id}-name`}>{number === null ? 'Вопрос' : `Вопрос ${number}`}</h2>
        <div className={classes.tools}>
          <SelectField
            label="Вид вопроса"
            labelHidden
            native
            className={classes.kind}
            choices={KINDS}
            value={kind}
            onChange={onKind}
          />
          <NumberInput
            key={questionId}
            id={`${id}-points`}
            label="Баллы за вопрос"
            value={question.points}
            bounds={POINT_BOUNDS}
            error={placed.points.join('. ')}
            unit={plural(question.points, POINTS)}
            onChange={(points) => onChange({ ...question, points }, 'points')}
          />
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      </header>
      <div key={questionId} className={classes.body}>
        {placed.rest.length > 0 && (
          <div role="status">
            {placed.rest.map((problem) => (
              <FieldError key={problem}>{problem}</FieldError>
            ))}
          </div>
        )}
        {aside?.questionId === questionId && (
          <InlineNote role="status">
            {SET_ASIDE[aside.parts]} не пропали: вернутся, если снова выбрать «
            {KIND_LABELS[aside.kind]}», пока открыт редактор.
          </InlineNote>
        )}
        <RichTextField
          label="Текст вопроса"
          value={question.text}
          error={placed.text.join('. ')}
          onChange={(text) => onChange({ ...question, text }, 'text')}
          pictures={addPictures}
        />
        <KindPart
          question={question}
          problems={placed.parts}
          resolve={pictures}
          onChange={onChange}
        />
        <RichTextField
          label="Пояснение после ответа"
          low
          description="Ученик прочитает его вместе с верными ответами, когда их можно видеть."
          value={question.explanation ?? ''}
          error=""
          onChange={onExplanation}
        />
        <DetailsPart question={question} onChange={onChange} />
      </div>
    </article>
  );
}
