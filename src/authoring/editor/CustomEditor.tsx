import { useDeferredValue, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { publishingProblems } from '#domain/publishing.ts';
import { maxPoints } from '#domain/scoring.ts';
import { BankPicker } from '#app/authoring/bank/BankPicker.tsx';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { EditModes } from '#app/authoring/EditModes.tsx';
import { ExportSheet } from '#app/authoring/exchange/ExportSheet.tsx';
import { ImportSheet } from '#app/authoring/exchange/ImportSheet.tsx';
import { cx } from '#app/ui/cx.ts';
import { useMedia } from '#app/ui/use-media.ts';
import { PointsSheet, PropertiesSheet } from './BulkSheets.tsx';
import { DoneNoteLine } from './DoneNoteLine.tsx';
import classes from './editor.module.css';
import { EditorNotes } from './EditorNotes.tsx';
import { EmptyTest } from './EmptyTest.tsx';
import { KeysSheet } from './KeysSheet.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListHead } from './ListHead.tsx';
import { ProblemsPanel } from './ProblemsPanel.tsx';
import { QuestionConflict } from './QuestionConflict.tsx';
import { QuestionList } from './QuestionList.tsx';
import { QuestionView } from './QuestionView.tsx';
import { knownProblems, placesOf } from './rows.ts';
import { SendSheet } from './SendSheet.tsx';
import { useChosen } from './use-chosen.ts';
import { useEditing, type Editing } from './use-editing.ts';

function useWidth(): 'phone' | 'middle' | 'wide' {
  const isWide = useMedia('(min-width: 1024px)');
  const isMiddle = useMedia('(min-width: 640px)');
  return isWide ? 'wide' : isMiddle ? 'middle' : 'phone';
}

function Sheets({ draft, editing }: { draft: Draft; editing: Editing }) {
  const { sheet, show, change } = editing;
  const close = () => show(null);
  return (
    <>
      {sheet?.kind === 'bank' && (
        <BankPicker
          opened
          onClose={close}
          testId={draft.testId}
          onPick={(questions) => editing.add(questions, 'Вопросы из банка')}
        />
      )}
      {sheet?.kind === 'import' && <ImportSheet opened onClose={close} draft={draft} />}
      {sheet?.kind === 'export' && <ExportSheet opened onClose={close} draft={draft} />}
      {sheet?.kind === 'keys' && <KeysSheet opened onClose={close} />}
      {sheet?.kind === 'points' && (
        <PointsSheet
          ids={sheet.ids}
          onClose={close}
          onChange={(given, label) => change(sheet.ids, given, label)}
        />
      )}
      {sheet?.kind === 'properties' && (
        <PropertiesSheet
          ids={sheet.ids}
          onClose={close}
          onChange={(given, label) => change(sheet.ids, given, label)}
        />
      )}
      {sheet?.kind === 'send' && (
        <SendSheet
          testId={draft.testId}
          how={sheet.how}
          questions={draft.questions.filter(({ questionId }) => sheet.ids.includes(questionId))}
          onClose={close}
          onSent={({ id, title }) =>
            editing.sent(sheet.ids, {
              kind: 'sent',
              how: sheet.how,
              count: sheet.ids.length,
              testId: id,
              testName: title,
            })
          }
        />
      )}
    </>
  );
}

const noPictures = () => Promise.reject(new Error('No pictures here'));

/** «Вручную»: the list of questions, the form of one, and what a student sees of it. */
export function CustomEditor({ draft }: { draft: Draft }) {
  const { testId, questions } = draft;
  const width = useWidth();
  const chosen = useChosen();
  const places = useMemo(() => placesOf(questions), [questions]);
  // What is wrong may lag behind the typing; the typing may not.
  const settled = useDeferredValue(questions);
  const problems = useMemo(
    () => (settled.length === 0 ? [] : publishingProblems(settled, knownProblems)),
    [settled],
  );
  const named = questions.find(({ questionId }) => questionId === chosen.id);
  const question = named ?? (width === 'phone' ? undefined : questions[0]);
  const chosenId = question?.questionId ?? null;
  const place = places.find(({ rows }) => rows.some(({ id }) => id === chosenId));
  const editing = useEditing({ draft, places, chosen, chosenId, isPhone: width === 'phone' });
  const { picked, setPicked } = editing;

  const editor = useRef<HTMLDivElement>(null);
  const aloneId = width === 'phone' ? chosenId : null;
  const isQuestionAlone = aloneId !== null;
  useEffect(() => {
    if (aloneId !== null) editor.current?.scrollIntoView({ block: 'start' });
  }, [aloneId]);

  const orphans = draft.conflicts.filter(({ mine }) => mine === null);
  // The first question may come out of a sheet, which then stays open: it has the same place in both.
  const withSheets = (screen: ReactNode) => (
    <>
      {screen}
      <Sheets draft={draft} editing={editing} />
    </>
  );
  // A test that was emptied here may hold something of others to decide on.
  if (questions.length === 0 && draft.conflicts.length === 0) {
    return withSheets(
      <div className={classes.empty}>
        <EditModes testId={testId} mode="custom" />
        <DoneNoteLine editing={editing} questions={questions} />
        <EmptyTest testId={testId} editing={editing} />
      </div>,
    );
  }
  return withSheets(
    <div ref={editor} className={classes.editor} data-width={width}>
      {!isQuestionAlone && (
        <div className={classes.wide}>
          <EditorNotes draft={draft} places={places} onOpen={(id) => editing.open(id)} />
          {orphans.map((conflict) => (
            <QuestionConflict
              key={conflict.questionId}
              conflict={conflict}
              resolve={noPictures}
              onDecide={(choice) => draft.resolve(conflict.questionId, choice)}
            />
          ))}
        </div>
      )}
      <section
        className={cx(classes.column, isQuestionAlone && classes.away)}
        aria-label="Список вопросов"
      >
        <EditModes testId={testId} mode="custom" />
        <ListHead
          count={places.length}
          points={maxPoints(questions)}
          picked={picked?.size ?? null}
          onPickAll={() => setPicked(new Set(questions.map(({ questionId }) => questionId)))}
          onPicked={() => setPicked(null)}
        />
        <ProblemsPanel problems={problems} onFollow={(id) => editing.open(id, true)} />
        <div className={classes.scroll}>
          <QuestionList
            places={places}
            chosenId={chosenId}
            picked={picked}
            actions={editing.actions}
            onCarry={editing.carry}
            focus={editing.focus}
          />
        </div>
        <DoneNoteLine editing={editing} questions={questions} />
        <ListFoot editing={editing} />
      </section>
      {question && place && (
        <QuestionView
          draft={draft}
          question={question}
          place={place}
          places={places}
          editing={editing}
          width={width}
          onClose={chosen.close}
        />
      )}
      <p className={classes.spoken} role="status">
        {editing.spoken}
      </p>
    </div>,
  );
}
