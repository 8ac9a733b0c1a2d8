import { useCallback, useMemo, useState, type Dispatch, type SetStateAction } from 'react';
import { TAGS_PER_QUESTION } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { placeId } from '#domain/variants.ts';
import { newId } from '#app/lib/new-id.ts';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import {
  addQuestions,
  changeQuestions,
  duplicateQuestions,
  moveAlternative,
  movePlace,
  movePlaceTo,
  removedOf,
  removeQuestions,
  restoreQuestions,
  type BulkChange,
  type RemovedQuestion,
} from './edits.ts';
import type { RowActions } from './QuestionRow.tsx';
import type { QuestionPlace } from './rows.ts';
import type { Chosen } from './use-chosen.ts';
import { useLatest } from '#app/lib/use-latest.ts';

/** The last action, reported under the list. */
export type DoneNote =
  | { readonly kind: 'removed'; readonly removed: readonly RemovedQuestion[] }
  | {
      readonly kind: 'sent';
      readonly how: 'move' | 'copy';
      readonly count: number;
      readonly testId: string;
      readonly testName: string;
    };

/** A modal about the whole test: it is open again after a reload. */
type TestModal = 'bank' | 'import' | 'export' | 'paper' | 'keys';

/** A modal over the editor; `ids`: the questions it is about. */
export type EditorModal =
  | { readonly kind: TestModal }
  | { readonly kind: 'points' | 'properties'; readonly ids: readonly string[] }
  | { readonly kind: 'send'; readonly how: 'move' | 'copy'; readonly ids: readonly string[] };

const several = (word: string, count: number) =>
  count === 1 ? `${word} вопроса` : `${word}: ${formatCount(count, QUESTIONS)}`;

/** The row next to removed ones: the following one, else the preceding. */
function neighbourOf(questions: readonly Question[], gone: readonly string[]): Question | null {
  const isGone = ({ questionId }: Question) => gone.includes(questionId);
  const last = questions.map(isGone).lastIndexOf(true);
  return (
    questions.slice(last + 1).find((question) => !isGone(question)) ??
    [...questions].reverse().find((question) => !isGone(question)) ??
    null
  );
}

export interface EditingState {
  readonly actions: RowActions;
  readonly add: (questions: readonly Question[], label: string) => void;
  readonly carry: (place: string, over: string) => void;
  readonly change: (ids: readonly string[], change: BulkChange, label: string) => void;
  readonly restore: (removed: readonly RemovedQuestion[]) => void;
  readonly sent: (ids: readonly string[], note: Extract<DoneNote, { kind: 'sent' }>) => void;
  readonly note: DoneNote | null;
  readonly dismissNote: () => void;
  readonly modal: EditorModal | null;
  readonly show: (modal: EditorModal | null) => void;
  /** Null: not in selection mode. */
  readonly picked: ReadonlySet<string> | null;
  readonly setPicked: (picked: ReadonlySet<string> | null) => void;
  readonly focus: { readonly rowKey: string } | null;
  /** Announcement of a move by keys or of a copy, for screen readers. */
  readonly spoken: string;
  /** The question with the form to focus; a new object focuses again. */
  readonly fieldFocus: { readonly id: string } | null;
  readonly open: (id: string, withField?: boolean) => void;
}

interface Given {
  readonly draft: DraftEditor;
  readonly places: readonly QuestionPlace[];
  readonly chosen: Chosen;
  /** The question on screen. */
  readonly chosenId: string | null;
  /** Phone layout: a question opens as a separate view with «back» to the list. */
  readonly isPhone: boolean;
}

/** What the functions of the list read and change. */
interface EditingEnvironment {
  readonly now: () => Given;
  /** The row picked last: a range starts there. */
  lastPick: string | null;
  readonly setNote: (note: DoneNote | null) => void;
  readonly setPicked: Dispatch<SetStateAction<ReadonlySet<string> | null>>;
  readonly setFocus: (focus: { rowKey: string } | null) => void;
  readonly setFieldFocus: (focus: { id: string } | null) => void;
  readonly setSpoken: (spoken: string) => void;
  readonly show: (modal: EditorModal | null) => void;
}

type CreationEnvironment = Omit<EditingEnvironment, 'now' | 'lastPick'> & {
  readonly latest: { readonly current: Given };
};

function openQuestion(
  { now, setFieldFocus }: EditingEnvironment,
  id: string,
  withField = false,
  isAdded = false,
): void {
  const { chosen, chosenId, isPhone } = now();
  const isNew = isAdded || (chosen.isNew && id === chosenId);
  chosen.choose(id, { replace: !isPhone || chosenId !== null, isNew });
  if (withField) setFieldFocus({ id });
}

function removeRows(env: EditingEnvironment, ids: readonly string[], label: string): void {
  const { setPicked, setFocus } = env;
  const { draft, chosen, chosenId, isPhone } = env.now();
  const next = neighbourOf(draft.questions, ids);
  draft.change(label, removeQuestions(ids));
  setPicked((before) => before && new Set([...before].filter((id) => !ids.includes(id))));
  if (next) setFocus({ rowKey: placeId(next) });
  if (chosenId === null || !ids.includes(chosenId)) return;
  if (next && !isPhone) chosen.choose(next.questionId);
  else chosen.close();
}

function remove(env: EditingEnvironment, ids: readonly string[]): void {
  env.setNote({ kind: 'removed', removed: removedOf(env.now().draft.questions, ids) });
  removeRows(env, ids, several('Удаление', ids.length));
}

function pick(
  env: EditingEnvironment,
  ids: readonly string[],
  isPicked: boolean,
  range: boolean,
): void {
  const order = env.now().draft.questions.map(({ questionId }) => questionId);
  const from = order.indexOf(env.lastPick ?? '');
  const to = order.indexOf(ids.at(-1) ?? '');
  const all =
    range && from >= 0 ? [...ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)] : ids;
  env.lastPick = ids.at(-1) ?? null;
  env.setPicked((before) => {
    const next = new Set(before);
    for (const id of all)
      if (isPicked) next.add(id);
      else next.delete(id);
    return next;
  });
}

function move(
  { now, setFocus, setSpoken }: EditingEnvironment,
  rowKey: string,
  to: Parameters<RowActions['move']>[1],
): void {
  const { draft, places } = now();
  const at = places.findIndex(({ id }) => id === rowKey);
  if (at < 0) {
    if (typeof to === 'number') draft.change('Порядок вариантов', moveAlternative(rowKey, to));
    setFocus({ rowKey });
    return;
  }
  const target = (from: number, count: number) =>
    to === 'start' ? 0 : to === 'end' ? count - 1 : from + to;
  draft.change('Порядок вопросов', movePlace(rowKey, target));
  setFocus({ rowKey });
  const place = Math.min(Math.max(target(at, places.length), 0), places.length - 1);
  setSpoken(`Место ${place + 1} из ${places.length}`);
}

function duplicate(env: EditingEnvironment, ids: readonly string[]): void {
  const { setSpoken, setPicked } = env;
  const { draft } = env.now();
  const originals = draft.questions.filter(({ questionId }) => ids.includes(questionId));
  const idOf = new Map([...ids, ...originals.map(placeId)].map((id) => [id, newId()]));
  draft.change(several('Копия', ids.length), duplicateQuestions(ids, idOf));
  const copy = idOf.get(ids[0] ?? '');
  const total = formatCount(draft.questions.length + originals.length, QUESTIONS);
  setSpoken(`${several('Копия', originals.length)}. Теперь ${total}`);
  setPicked((before) => before && new Set());
  if (copy !== undefined && ids.length === 1) openQuestion(env, copy);
}

function createActions(env: EditingEnvironment): RowActions {
  const idsOfRow = (rowKey: string) =>
    env
      .now()
      .places.find(({ id }) => id === rowKey)
      ?.rows.map(({ id }) => id) ?? [rowKey];
  return {
    choose: (id) => openQuestion(env, id),
    pick: (ids, isPicked, range) => pick(env, ids, isPicked, range),
    move: (rowKey, to) => move(env, rowKey, to),
    duplicate: (ids) => duplicate(env, ids),
    remove: (ids) => remove(env, ids),
    removeRow: (rowKey) => remove(env, idsOfRow(rowKey)),
    send: (ids, how) => env.show({ kind: 'send', how, ids }),
  };
}

function createFunctions({ latest, ...setters }: CreationEnvironment) {
  const env: EditingEnvironment = { ...setters, now: () => latest.current, lastPick: null };
  return {
    actions: createActions(env),
    open: (id: string, withField = false) => openQuestion(env, id, withField),
    add: (questions: readonly Question[], label: string) => {
      env.now().draft.change(label, addQuestions(questions));
      const first = questions[0];
      if (!first) return;
      openQuestion(env, first.questionId, true, questions.length === 1);
    },
    carry: (place: string, over: string) =>
      env.now().draft.change('Порядок вопросов', movePlaceTo(place, over)),
    change: (ids: readonly string[], change: BulkChange, label: string) =>
      env.now().draft.change(label, changeQuestions(ids, change, TAGS_PER_QUESTION)),
    restore: (removed: readonly RemovedQuestion[]) => {
      env.now().draft.change(several('Возвращение', removed.length), restoreQuestions(removed));
      env.setNote(null);
      const first = removed[0]?.question;
      if (!first) return;
      env.setFocus({ rowKey: placeId(first) });
      if (!env.now().isPhone) openQuestion(env, first.questionId);
    },
    sent: (ids: readonly string[], done: Extract<DoneNote, { kind: 'sent' }>) => {
      env.setNote(done);
      if (done.how === 'move') removeRows(env, ids, several('Перенос', ids.length));
    },
    dismissNote: () => env.setNote(null),
  };
}

/** All actions of the list and the form on the working copy; the functions are stable. */
export function useEditing(given: Given): EditingState {
  const latest = useLatest(given);
  const [note, setNote] = useState<DoneNote | null>(null);
  const [testModal, setTestModal] = useDialogState<TestModal>('editor');
  const [partModal, setPartModal] = useState<Extract<EditorModal, { ids: unknown }> | null>(null);
  const modal = partModal ?? (testModal && { kind: testModal });
  const show = useCallback(
    (next: EditorModal | null) => {
      const isOfPart = next !== null && 'ids' in next;
      setPartModal(isOfPart ? next : null);
      setTestModal(next === null || isOfPart ? null : next.kind);
    },
    [setTestModal],
  );
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const [focus, setFocus] = useState<{ rowKey: string } | null>(null);
  const [fieldFocus, setFieldFocus] = useState<{ id: string } | null>(null);
  const [spoken, setSpoken] = useState('');

  const functions = useMemo(
    () =>
      createFunctions({
        latest,
        setNote,
        setPicked,
        setFocus,
        setFieldFocus,
        setSpoken,
        show,
      }),
    [latest, show],
  );

  return { ...functions, note, modal, show, picked, setPicked, focus, spoken, fieldFocus };
}
