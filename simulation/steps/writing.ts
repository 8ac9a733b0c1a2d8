import type { Answer } from '#contract/answers.ts';
import { maxFilesOf } from '#domain/answer-files.ts';
import type { ChangeFiles } from '#app/outbox/change-files.ts';
import { OutboxRefusal, type AttemptView, type StoredOperation } from '#app/outbox/types.ts';
import { someAnswer, somePicture } from '#simulation/answers.ts';
import { ANY_BODY, bodyOf, type Write } from '#simulation/evidence.ts';
import type { Random } from '#simulation/random.ts';
import { DEAD, type Tab } from '#simulation/tab.ts';
import { forgetTab, type World } from '#simulation/world.ts';

/** Steps of writing and sending. Each has no effect where it is impossible. */

export type Page = { readonly tab: Tab; readonly view: AttemptView };

/** A live page that shows an attempt of its signed-in user. */
export async function somePage(
  world: World,
  isFit: (view: AttemptView) => boolean,
): Promise<Page | null> {
  const tabs = world.tabs.filter((tab) => tab.attemptId !== null && tab.device.session !== null);
  if (tabs.length === 0) return null;
  const tab = world.random.pick(tabs);
  const view = await world.looks.look(tab);
  return view && isFit(view) ? { tab, view } : null;
}

export const isOpen = (view: AttemptView): boolean =>
  view.readOnly === null && view.remainingMs > 0;

interface NewWrite {
  readonly kind: 'answer' | 'finish';
  readonly questionId: string | null;
  /** Body of a text, choice or matching answer; a file's is known afterwards. */
  readonly answer: Answer | null;
  readonly act: (tab: Tab) => Promise<StoredOperation>;
}

/** The body of a file answer, as the page shows it. */
async function shownBody(tab: Tab, attemptId: string, questionId: string | null): Promise<string> {
  const view = await tab.run(() => tab.outbox.snapshot(attemptId));
  // A full device may lose the questions with the page that had them in memory. A file picked there shows nothing.
  if (view === DEAD || view?.questions.length === 0) return ANY_BODY;
  return bodyOf(view?.answers.find((one) => one.questionId === questionId)?.answer ?? null);
}

/** Writes, and records the promise to the student. */
async function write(
  world: World,
  { tab, view }: Page,
  wanted: NewWrite,
): Promise<StoredOperation | null> {
  const { history, record, timeline } = world;
  const made = tab.made.length;
  const isFile = wanted.kind === 'answer' && wanted.answer === null;
  const common = {
    kind: wanted.kind,
    user: view.owner,
    device: tab.device.label,
    attemptId: view.attemptId,
    questionId: wanted.questionId,
    stream: view.stream,
    epoch: view.epoch,
    at: timeline.now(),
    schoolAt: world.server.schoolTime(),
  } satisfies Partial<Write>;
  const what = `${tab.label} ${wanted.kind} ${wanted.questionId?.slice(-2) ?? ''}`;
  let stored: StoredOperation | typeof DEAD;
  try {
    stored = await tab.run(() => wanted.act(tab));
  } catch (error) {
    if (!(error instanceof OutboxRefusal)) throw error;
    history.note(`${what}: refused, ${error.reason}`);
    return null;
  }
  if (stored === DEAD) {
    const body = isFile ? ANY_BODY : bodyOf(wanted.answer);
    for (const operationId of tab.made.slice(made)) {
      record.writes.push({
        ...common,
        operationId,
        body,
        sequence: null,
        saved: false,
        killed: true,
      });
    }
    history.note(`${what}: killed meanwhile`);
    forgetTab(world, tab);
    return null;
  }
  const { operationId, sequence, saved } = stored;
  if (wanted.kind === 'finish' && record.operation(operationId)) return stored;
  const body = isFile
    ? await shownBody(tab, view.attemptId, wanted.questionId)
    : bodyOf(wanted.answer);
  record.writes.push({ ...common, operationId, body, sequence, saved, killed: false });
  history.note(
    `${what}: ${history.name('o', operationId)} #${sequence} ${saved ? 'saved' : 'in memory'} ${isFile ? 'file' : body.slice(-24)}`,
  );
  if (!world.poisonNext || wanted.kind === 'finish') return stored;
  world.poisonNext = false;
  world.network.poisoned.add(operationId);
  history.fault('poisoned', history.name('o', operationId));
  return stored;
}

/** Another order of the files, or one less. */
const someChange = (random: Random): ChangeFiles =>
  random.chance(0.5) ? (files) => files.toReversed() : (files) => files.slice(1);

const newFile = (
  view: AttemptView,
  questionId: string,
  bytes: Uint8Array<ArrayBuffer>,
  maxFiles = 1,
): NewWrite => ({
  kind: 'answer',
  questionId,
  answer: null,
  act: (tab) =>
    tab.outbox.addFile(
      view.attemptId,
      questionId,
      { name: 'решение.jpg', mimeType: 'image/jpeg', bytes },
      maxFiles === 1 ? undefined : (files, added) => [...files, added].slice(-maxFiles),
    ),
});

/** A file that was read, for a question; null: it was refused, or the page was killed. */
export const addFileTo = (
  world: World,
  page: Page,
  questionId: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<StoredOperation | null> => write(world, page, newFile(page.view, questionId, bytes));

function newAnswer(world: World, view: AttemptView, files: boolean): NewWrite | null {
  const { random } = world;
  const questions = world.tests.find(({ testId }) => testId === view.testId)?.questions ?? [];
  const fit = questions.filter(({ kind }) => (kind === 'file') === files);
  const question = random.pick(fit);
  const { questionId } = question;
  if (question.kind === 'file') {
    const bytes = somePicture(random);
    const change = random.chance(0.3) ? someChange(random) : null;
    return change && maxFilesOf(question) > 1
      ? {
          kind: 'answer',
          questionId,
          answer: null,
          act: (tab) => tab.outbox.changeFiles(view.attemptId, questionId, change),
        }
      : newFile(view, questionId, bytes, maxFilesOf(question));
  }
  const answer = someAnswer(question, random);
  if (!answer) return null;
  const act = (tab: Tab) => tab.outbox.answer(view.attemptId, answer);
  return { kind: 'answer', questionId, answer, act };
}

const newFinish = (view: AttemptView, reason: 'student' | 'deadline'): NewWrite => ({
  kind: 'finish',
  questionId: null,
  answer: null,
  act: (tab) => tab.outbox.finish(view.attemptId, reason),
});

export async function writeAnswer(world: World, page: Page | null, files: boolean): Promise<void> {
  const wanted = page && newAnswer(world, page.view, files);
  if (page && wanted) await write(world, page, wanted);
}

export async function answer(world: World): Promise<void> {
  await writeAnswer(world, await somePage(world, isOpen), false);
}

export async function burst(world: World): Promise<void> {
  const page = await somePage(world, isOpen);
  if (!page) return;
  for (let i = world.random.between(2, 4); i > 0 && page.tab.isAlive(); i -= 1) {
    world.timeline.advance(world.random.between(200, 3_000));
    await writeAnswer(world, page, false);
  }
}

export async function addFile(world: World): Promise<void> {
  await writeAnswer(world, await somePage(world, isOpen), true);
}

/** Answers in a page that does not close its inputs at zero: the server decides. */
export async function answerLate(world: World): Promise<void> {
  const { random, timeline } = world;
  const page = await somePage(world, (view) => view.state === 'running' && !view.readOnly);
  if (!page) return;
  const late = page.view.deadline + random.between(-30_000, 200_000) - world.server.schoolTime();
  timeline.advance(Math.max(0, late));
  for (let i = random.between(1, 3); i > 0 && page.tab.isAlive(); i -= 1) {
    await writeAnswer(world, page, false);
  }
  if (page.tab.isAlive() && random.chance(0.7)) await flushTab(world, page.tab, true);
}

export async function mark(world: World): Promise<void> {
  const page = await somePage(world, isOpen);
  if (!page) return;
  const { questionId } = world.random.pick(page.view.questions);
  const marked = world.random.chance(0.7);
  await page.tab.run(() => page.tab.outbox.setMark(page.view.attemptId, questionId, marked));
}

export async function finishPage(world: World, page: Page): Promise<void> {
  await write(world, page, newFinish(page.view, 'student'));
}

export async function finish(world: World): Promise<void> {
  const page = await somePage(world, isOpen);
  if (page) await finishPage(world, page);
}

/** The automatic finish of a page at zero. */
export async function finishOverdue(world: World): Promise<void> {
  for (const tab of world.tabs.slice()) {
    const view = tab.device.session === null ? null : await world.looks.look(tab);
    const isOver =
      view?.state === 'running' &&
      view.remainingMs === 0 &&
      !view.readOnly?.match(/gone|takenOver|secondTab/);
    if (view && isOver) await write(world, { tab, view }, newFinish(view, 'deadline'));
  }
}

/** One flush, for any signed-in person. */
export async function flushTab(world: World, tab: Tab, force: boolean): Promise<number | null> {
  const report = await tab.run(() => tab.outbox.flush({ force }));
  if (report === DEAD) {
    world.history.note(`${tab.label} dies while sending`);
    forgetTab(world, tab);
    return null;
  }
  const { acknowledged, failed, setAside, waiting, pause, nextInMs } = report;
  world.history.note(
    `${tab.label} sends: ${acknowledged} acknowledged, ${failed} failed, ${setAside} set aside, ${waiting} wait${pause ? `, paused: ${pause}` : ''}`,
  );
  await noteWait(world, tab, nextInMs ?? 0);
  await world.looks.look(tab);
  return nextInMs;
}

/** Waits of the usual jitter need no rule. */
const LONG_WAIT_MS = 30_000;

async function noteWait({ record }: World, tab: Tab, ms: number): Promise<void> {
  if (ms <= LONG_WAIT_MS) return;
  const rows = await tab.storage.read(['operations'], (tx) => tx.all('operations'));
  const hasPoisoned = rows.some(({ poisoned }) => poisoned);
  record.waits.push({ page: tab.label, ms, hasPoisoned });
}

/** An answer as a page writes it. */
export const writeText = (
  world: World,
  page: Page,
  answer: Answer,
): Promise<StoredOperation | null> =>
  write(world, page, {
    kind: 'answer',
    questionId: answer.questionId,
    answer,
    act: (tab) => tab.outbox.answer(page.view.attemptId, answer),
  });

export async function flush(world: World): Promise<void> {
  if (world.tabs.length === 0) return;
  const tab = world.random.pick(world.tabs);
  const nextInMs = await flushTab(world, tab, world.random.chance(0.2));
  if (nextInMs !== null && world.random.chance(0.5)) world.timeline.advance(nextInMs);
}

/** Two pages of one device at the same moment. */
export async function twoPages(world: World): Promise<void> {
  const { random } = world;
  const [first] = world.tabs;
  if (!first) return;
  const second = world.tabs.find((tab) => tab !== first && tab.device === first.device);
  if (!second) return;
  if (random.chance(0.5)) {
    await Promise.all([first, second].map((tab) => tab.run(() => tab.outbox.flush())));
    world.history.note(`${first.label} and ${second.label} send`);
    return;
  }
  const pages: Page[] = [];
  for (const tab of [first, second]) {
    const view = await world.looks.look(tab);
    if (view && isOpen(view)) pages.push({ tab, view });
  }
  const writes = pages.map((page) => newAnswer(world, page.view, false));
  await Promise.all(
    pages.map(async (page, i) => {
      const wanted = writes[i];
      if (wanted) await write(world, page, wanted);
    }),
  );
}
