import type { Answer } from '#contract/answers.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { answerStateLabel } from '#domain/labels-answer.ts';
import { logProblem } from '#app/lib/log.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import type { OpenedDevice } from './services.ts';

const CHOICES = ':is([role=radiogroup], [role=group]) label > input';
const TEXTS = 'textarea, input:not([type=radio], [type=checkbox])';
/** Typed text is stored this long after its first unstored key; until then its note has it (ADR 11). */
const STORE_TYPED_AFTER_MS = 500;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The fields of the painted question. */
interface PaintedFields {
  readonly fields: readonly Field[];
  /** What is entered now, or what was when the page was painted. */
  answer(when: 'now' | 'painted'): Answer;
}

function choiceFields(
  painted: Element,
  { questionId, options }: StudentQuestion & { kind: 'variant' },
): PaintedFields | null {
  const fields = [...painted.querySelectorAll<HTMLInputElement>(CHOICES)];
  if (fields.length !== options.length) return null;
  return {
    fields,
    answer: (when) => ({
      questionId,
      kind: 'variant',
      optionIds: options.flatMap(({ optionId }, index) => {
        const field = fields[index];
        return (when === 'now' ? field?.checked : field?.defaultChecked) ? optionId : [];
      }),
    }),
  };
}

function textField(painted: Element, questionId: string): PaintedFields | null {
  const [field, ...others] = painted.querySelectorAll<Field>(TEXTS);
  if (!field || others.length > 0) return null;
  return {
    fields: [field],
    answer: (when) => ({
      questionId,
      kind: 'open',
      text: when === 'now' ? field.value : field.defaultValue,
    }),
  };
}

const isSame = (one: Answer | null, other: Answer): boolean => enteredIn(one) === enteredIn(other);

/** Empty without an answer. */
function enteredIn(answer: Answer | null): string {
  if (answer?.kind === 'variant') return answer.optionIds.join();
  return answer?.kind === 'open' ? answer.text : '';
}

/** Null: the page was painted with another question or answer than the device has, or its inputs are closed. */
function findFields(painted: Element, view: AttemptView): PaintedFields | null {
  const last = view.questions.find(({ questionId }) => questionId === view.lastQuestionId);
  const question = last ?? view.questions[0];
  const found =
    question?.kind === 'variant'
      ? choiceFields(painted, question)
      : question?.kind === 'open'
        ? textField(painted, question.questionId)
        : null;
  if (!found || view.readOnly !== null) return null;
  const before = found.answer('painted');
  const stored = view.answers.find((one) => one.questionId === before.questionId)?.answer ?? null;
  return isSame(stored, before) && found.fields.every((field) => !field.disabled && !field.readOnly)
    ? found
    : null;
}

/** Where the page says where the answer is stored; public/painted.js clears it at a change. */
function sayStored(painted: Element): void {
  const line = painted.querySelector('[data-answer-state]');
  if (line) line.textContent = answerStateLabel('device');
}

/**
 * Stores what is chosen or typed on the painted question as soon as the device's storage is open, before the app is
 * there (ADR 14). What it does not store, a page that has other fields or is open in another tab, the app takes over.
 */
export async function storePaintedAnswers(
  painted: HTMLElement,
  { device: { outbox }, session }: Pick<OpenedDevice, 'device' | 'session'>,
  testId: string,
): Promise<void> {
  const owner = session.current()?.user.userId;
  const attempt = owner === undefined ? null : await outbox.attemptByTest(owner, testId);
  const view = attempt && (await outbox.snapshot(attempt.attemptId));
  const found = view && findFields(painted, view);
  if (!found || !(await outbox.claimTab(view.attemptId))) return;
  const { attemptId } = view;
  let stored = found.answer('painted');

  const store = async () => {
    const answer = found.answer('now');
    if (isSame(answer, stored) || !painted.isConnected) return;
    if (!(await outbox.claimTab(attemptId))) return;
    await outbox.answer(attemptId, answer);
    stored = answer;
    if (isSame(found.answer('now'), stored)) sayStored(painted);
  };
  let last = Promise.resolve();
  const storeNext = () => {
    last = last
      .then(store)
      .catch((cause: unknown) => logProblem('Ответ до запуска не записать', { cause }));
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const noteTyped = () => {
    const answer = found.answer('now');
    if (answer.kind !== 'open' || !painted.isConnected) return;
    outbox.noteTyped(view, answer);
    timer ??= setTimeout(() => {
      timer = undefined;
      storeNext();
    }, STORE_TYPED_AFTER_MS);
  };
  painted.addEventListener('input', noteTyped);
  painted.addEventListener('change', storeNext);
  storeNext();
}
