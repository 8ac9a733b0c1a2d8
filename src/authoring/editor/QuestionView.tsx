import { ActionIcon, Button } from '@mantine/core';
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconCopy,
  IconTrash,
} from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { usePictures } from '#app/offline/use-pictures.ts';
import { ImproveMenu } from '#app/authoring/ai/ImproveMenu.tsx';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { QuestionForm } from '#app/authoring/question/QuestionForm.tsx';
import { StudentView } from '#app/authoring/question/StudentView.tsx';
import { replaceQuestion } from './edits.ts';
import classes from './editor.module.css';
import { QuestionConflict } from './QuestionConflict.tsx';
import { knownProblems, type Place } from './rows.ts';
import type { Editing } from './use-editing.ts';

/** Where the keyboard goes in a form that was asked for: what is wrong first, else the text. */
const FIRST_WRONG = '[aria-invalid="true"]';
const TEXT = 'textarea';

/** A question that was just made is not told what it lacks before it is left. */
const NOTHING_YET: readonly string[] = [];

export interface QuestionViewProps {
  draft: Draft;
  question: Question;
  place: Place;
  places: readonly Place[];
  editing: Editing;
  width: 'phone' | 'middle' | 'wide';
  /** To the list, on phones. */
  onClose: () => void;
}

/** On phones: back to the list, and on to the neighbours. */
function Steps({ question, places, place, editing, onClose }: QuestionViewProps) {
  const order = places.flatMap(({ rows }) => rows.map(({ id }) => id));
  const at = order.indexOf(question.questionId);
  const step = (by: -1 | 1) => {
    const id = order[at + by];
    if (id !== undefined) editing.open(id);
  };
  return (
    <nav className={classes.steps} aria-label="Вопросы теста">
      <Button
        variant="subtle"
        size="sm"
        leftSection={<IconArrowLeft size={20} stroke={1.75} aria-hidden />}
        onClick={onClose}
      >
        К списку
      </Button>
      <ActionIcon aria-label="Предыдущий вопрос" disabled={at <= 0} onClick={() => step(-1)}>
        <IconChevronLeft size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <span className={classes.at}>
        {place.number} из {places.length}
      </span>
      <ActionIcon
        aria-label="Следующий вопрос"
        disabled={at === order.length - 1}
        onClick={() => step(1)}
      >
        <IconChevronRight size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
    </nav>
  );
}

/** One question: its form, and beside or behind it what a student sees. */
export function QuestionView(props: QuestionViewProps) {
  const { draft, question, place, editing, width } = props;
  const { questionId } = question;
  const form = useRef<HTMLDivElement>(null);
  const [seenSince, setSeenSince] = useState<{ focus: Editing['fieldFocus'] } | null>(null);
  const resolve = usePictures(useMemo(() => [question], [question]));
  const { fieldFocus, actions } = editing;
  // A field that is asked for brings the form back.
  const isSeen = seenSince !== null && seenSince.focus === fieldFocus;
  useEffect(() => {
    if (fieldFocus?.id !== questionId) return;
    const field =
      form.current?.querySelector<HTMLElement>(FIRST_WRONG) ??
      form.current?.querySelector<HTMLElement>(TEXT);
    field?.focus();
  }, [fieldFocus, questionId]);

  const conflicts = draft.conflicts.filter((one) => one.questionId === questionId);
  const isBeside = width === 'wide';
  return (
    <>
      <div className={classes.form} ref={form} data-undo="draft">
        {width === 'phone' && <Steps {...props} />}
        {conflicts.map((conflict) => (
          <QuestionConflict
            key={conflict.questionId}
            conflict={conflict}
            resolve={resolve}
            onDecide={(choice) => draft.resolve(questionId, choice)}
          />
        ))}
        {!isBeside && (
          <div className={classes.sides} role="group" aria-label="Вид вопроса">
            <button type="button" aria-pressed={!isSeen} onClick={() => setSeenSince(null)}>
              Правка
            </button>
            <button
              type="button"
              aria-pressed={isSeen}
              onClick={() => setSeenSince({ focus: fieldFocus })}
            >
              Как увидит ученик
            </button>
          </div>
        )}
        {(isBeside || !isSeen) && (
          <QuestionForm
            number={place.number}
            question={question}
            problems={editing.freshId === questionId ? NOTHING_YET : knownProblems(question)}
            resolve={resolve}
            onChange={(next, field) =>
              draft.change(`Правка вопроса ${place.number}`, replaceQuestion(next), {
                coalesce: `${questionId} ${field}`,
              })
            }
            actions={
              <>
                <ImproveMenu
                  testId={draft.testId}
                  question={question}
                  resolve={resolve}
                  onReplace={(next) => draft.change('Улучшение с ИИ', replaceQuestion(next))}
                />
                <ActionIcon
                  aria-label="Дублировать вопрос"
                  title="Дублировать"
                  onClick={() => actions.duplicate([questionId])}
                >
                  <IconCopy size={20} stroke={1.75} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  aria-label="Удалить вопрос"
                  title="Удалить"
                  onClick={() => actions.remove([questionId])}
                >
                  <IconTrash size={20} stroke={1.75} aria-hidden />
                </ActionIcon>
              </>
            }
          />
        )}
        {!isBeside && isSeen && (
          <StudentView number={place.number} question={question} resolve={resolve} />
        )}
      </div>
      {isBeside && (
        <div className={classes.seen}>
          <StudentView number={place.number} question={question} resolve={resolve} />
        </div>
      )}
    </>
  );
}
