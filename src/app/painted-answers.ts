import type { StudentQuestion } from '#contract/questions.ts';
import { answerStateLabel } from '#domain/labels-answer.ts';
import { logProblem } from '#app/lib/log.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import type { OpenedDevice } from './services.ts';

const CHOICES = ':is([role=radiogroup], [role=group]) label > input';

/** The question that the painted page shows, if it is answered by a choice. */
function findChoice(view: AttemptView): (StudentQuestion & { kind: 'variant' }) | null {
  const last = view.questions.find(({ questionId }) => questionId === view.lastQuestionId);
  const question = last ?? view.questions[0];
  return question?.kind === 'variant' ? question : null;
}

/** Where the page says where the answer is stored; public/painted.js clears it at a change. */
function sayStored(painted: Element): void {
  const line = painted.querySelector('[data-answer-state]');
  if (line) line.textContent = answerStateLabel('device');
}

/**
 * Stores choices made on the painted question as soon as the device's storage is open, before the app is there
 * (ADR 14). What it does not store, a page that has other options or is open in another tab, the app takes over.
 */
export async function storePaintedChoices(
  painted: HTMLElement,
  { device: { outbox }, session }: Pick<OpenedDevice, 'device' | 'session'>,
  testId: string,
): Promise<void> {
  const owner = session.current()?.user.userId;
  const attempt = owner === undefined ? null : await outbox.attemptByTest(owner, testId);
  const view = attempt && (await outbox.snapshot(attempt.attemptId));
  const question = view && findChoice(view);
  if (!question || view.readOnly !== null) return;
  const { attemptId } = view;
  const { questionId, options } = question;
  const inputs = [...painted.querySelectorAll<HTMLInputElement>(CHOICES)];
  const chosen = (isChosen: (input: HTMLInputElement) => boolean) =>
    options.flatMap(({ optionId }, index) => {
      const input = inputs[index];
      return input && isChosen(input) ? optionId : [];
    });
  const answer = view.answers.find((one) => one.questionId === questionId)?.answer;
  let stored = answer?.kind === 'variant' ? answer.optionIds.join() : '';
  const isSame =
    inputs.length === options.length &&
    inputs.every(({ disabled }) => !disabled) &&
    chosen((input) => input.defaultChecked).join() === stored;
  if (!isSame) return;

  const store = async () => {
    const optionIds = chosen((input) => input.checked);
    if (optionIds.join() === stored || !painted.isConnected) return;
    if (!(await outbox.claimTab(attemptId))) return;
    await outbox.answer(attemptId, { questionId, kind: 'variant', optionIds });
    stored = optionIds.join();
    if (chosen((input) => input.checked).join() === stored) sayStored(painted);
  };
  let last = Promise.resolve();
  const storeNext = () => {
    last = last
      .then(store)
      .catch((cause: unknown) => logProblem('Выбор до запуска не записать', { cause }));
  };
  painted.addEventListener('change', storeNext);
  storeNext();
}
