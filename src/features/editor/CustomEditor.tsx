import { Flex, Stack, VisuallyHidden } from '@mantine/core';
import { useDeferredValue, useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { Question } from '#contract/questions.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { maxPoints } from '#domain/scoring.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { EditModes } from '#app/drafts/EditModes.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { useTurnFocus } from '#app/ui/use-turn-focus.ts';
import { ShortcutsModal, type ShortcutRow } from '#app/ui/overlays/ShortcutsModal.tsx';
import { PointsModal, PropertiesModal } from './BulkModals.tsx';
import { DoneNoteLine } from './DoneNoteLine.tsx';
import classes from './editor.module.css';
import { EditorNotes } from './EditorNotes.tsx';
import { EmptyTest } from './EmptyTest.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListHead } from './ListHead.tsx';
import { ProblemsPanel } from './ProblemsPanel.tsx';
import { QuestionConflict } from './QuestionConflict.tsx';
import { QuestionList } from './QuestionList.tsx';
import { QuestionView } from './QuestionView.tsx';
import { knownProblems, placesOf } from './rows.ts';
import { SendModal } from './SendModal.tsx';
import type { EditorTools } from './tools.ts';
import { useChosen } from './use-chosen.ts';
import { useEditing, type EditingState } from './use-editing.ts';

/** Keyboard shortcuts of the editor: none is a letter alone. */
const EDITOR_KEYS: readonly ShortcutRow[] = [
  ['Отменить', 'Ctrl', 'Z'],
  ['Вернуть', 'Ctrl', 'Shift', 'Z'],
  ['Соседний вопрос списка', '↑', '↓'],
  ['Открыть вопрос', 'Enter'],
  ['Перенести выше или ниже', 'Alt', '↑', '↓'],
  ['Перенести в начало, в конец', 'Alt', 'Home', 'End'],
  ['Взять вопрос за ручку и оставить', 'Пробел'],
  ['Удалить вопрос', 'Delete'],
];

function useWidth(): 'phone' | 'middle' | 'wide' {
  const isWide = useMedia('(min-width: 1024px)');
  const isMiddle = useMedia('(min-width: 640px)');
  return isWide ? 'wide' : isMiddle ? 'middle' : 'phone';
}

interface ModalsProps {
  readonly draft: DraftEditor;
  readonly editing: EditingState;
  readonly tools: EditorTools;
}

function Modals({ draft, editing, tools }: ModalsProps) {
  const { BankPicker, ImportModal, ExportModal, PaperModal } = tools;
  const { modal, show, change } = editing;
  const close = () => show(null);
  return (
    <>
      {modal?.kind === 'bank' && (
        <BankPicker
          opened
          onClose={close}
          testId={draft.testId}
          onPick={(questions) => editing.add(questions, 'Вопросы из банка')}
        />
      )}
      {modal?.kind === 'import' && <ImportModal opened onClose={close} draft={draft} />}
      {modal?.kind === 'export' && <ExportModal opened onClose={close} draft={draft} />}
      {modal?.kind === 'paper' && <PaperModal opened onClose={close} draft={draft} />}
      {modal?.kind === 'keys' && (
        <ShortcutsModal title="Клавиши редактора" rows={EDITOR_KEYS} onClose={close} />
      )}
      {modal?.kind === 'points' && (
        <PointsModal
          ids={modal.ids}
          onClose={close}
          onChange={(given, label) => change(modal.ids, given, label)}
        />
      )}
      {modal?.kind === 'properties' && (
        <PropertiesModal
          ids={modal.ids}
          onClose={close}
          onChange={(given, label) => change(modal.ids, given, label)}
        />
      )}
      {modal?.kind === 'send' && (
        <SendModal
          testId={draft.testId}
          how={modal.how}
          questions={draft.questions.filter(({ questionId }) => modal.ids.includes(questionId))}
          onClose={close}
          onSent={({ id, title }) =>
            editing.sent(modal.ids, {
              kind: 'sent',
              how: modal.how,
              count: modal.ids.length,
              testId: id,
              testName: title,
            })
          }
        />
      )}
    </>
  );
}

/** What must be fixed before a publication; a new question may still be incomplete. */
function useProblems(questions: readonly Question[], newId: string | null) {
  // Validation may lag behind the typing; the typing must not.
  const settled = useDeferredValue(questions);
  return useMemo(
    () =>
      settled.length === 0
        ? []
        : publishingProblems(settled, knownProblems).filter(
            ({ questionId }) => questionId === null || questionId !== newId,
          ),
    [settled, newId],
  );
}

function ListColumn({
  draft: { testId, questions },
  places,
  problems,
  chosenId,
  editing,
  isHidden,
}: {
  draft: DraftEditor;
  places: ReturnType<typeof placesOf>;
  problems: ReturnType<typeof useProblems>;
  chosenId: string | null;
  editing: EditingState;
  isHidden: boolean;
}) {
  const { picked, setPicked } = editing;
  return (
    <Flex
      component="section"
      className={classes.column}
      display={isHidden ? 'none' : 'flex'}
      direction="column"
      miw={0}
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
    </Flex>
  );
}

/** «Вручную»: the list of questions, the form of one, and its student view. */
export function CustomEditor({ draft, tools }: { draft: DraftEditor; tools: EditorTools }) {
  const { testId, questions } = draft;
  const width = useWidth();
  const chosen = useChosen();
  const newId = chosen.isNew ? chosen.id : null;
  const places = useMemo(() => placesOf(questions, newId), [questions, newId]);
  const problems = useProblems(questions, newId);
  const named = questions.find(({ questionId }) => questionId === chosen.id);
  const question = named ?? (width === 'phone' ? undefined : questions[0]);
  const chosenId = question?.questionId ?? null;
  const place = places.find(({ rows }) => rows.some(({ id }) => id === chosenId));
  const editing = useEditing({ draft, places, chosen, chosenId, isPhone: width === 'phone' });

  const editor = useRef<HTMLDivElement>(null);
  const aloneId = width === 'phone' ? chosenId : null;
  const isQuestionAlone = aloneId !== null;
  const findInEditor = (selector: string) => editor.current?.querySelector<HTMLElement>(selector);
  useTurnFocus({
    isNarrow: width === 'phone',
    opened: aloneId,
    findList: () => findInEditor('section'),
    findHeading: () => findInEditor('article h2'),
    findRow: (id) => {
      const at = places.find(({ rows }) => rows.some((row) => row.id === id));
      return at && findInEditor(`[data-row="${at.id}"]`);
    },
  });
  useEffect(() => {
    if (aloneId !== null) editor.current?.scrollIntoView({ block: 'start' });
  }, [aloneId]);

  const orphans = draft.conflicts.filter(({ mine }) => mine === null);
  // The first question may come from a modal, which must stay mounted in both layouts.
  const withModals = (screen: ReactNode) => (
    <>
      {screen}
      <Modals draft={draft} editing={editing} tools={tools} />
    </>
  );
  // A test emptied here may still have conflicts to resolve.
  if (questions.length === 0 && draft.conflicts.length === 0) {
    return withModals(
      <Stack>
        <EditModes testId={testId} mode="custom" />
        <DoneNoteLine editing={editing} questions={questions} />
        <EmptyTest testId={testId} editing={editing} />
      </Stack>,
    );
  }
  return withModals(
    <div ref={editor} className={classes.editor} data-width={width}>
      {!isQuestionAlone && (
        <div className={classes.wide}>
          <EditorNotes draft={draft} places={places} onOpen={(id) => editing.open(id)} />
          {orphans.map((conflict) => (
            <QuestionConflict
              key={conflict.questionId}
              conflict={conflict}
              onDecide={(choice) => draft.resolve(conflict.questionId, choice)}
            />
          ))}
        </div>
      )}
      <ListColumn
        draft={draft}
        places={places}
        problems={problems}
        chosenId={chosenId}
        editing={editing}
        isHidden={isQuestionAlone}
      />
      {question && place && (
        <QuestionView
          draft={draft}
          question={question}
          place={place}
          places={places}
          editing={editing}
          isNew={question.questionId === newId}
          width={width}
          ImproveMenu={tools.ImproveMenu}
          onClose={chosen.close}
        />
      )}
      <VisuallyHidden component="p" role="status">
        {editing.spoken}
      </VisuallyHidden>
    </div>,
  );
}
