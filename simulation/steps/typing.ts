import { setImmediate as turn } from 'node:timers/promises';
import type { Answer } from '#contract/answers.ts';
import { createTyping, type Typing } from '#app/features/passing/typing.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import { operationsOn } from '#simulation/device-operations.ts';
import type { Device } from '#simulation/device.ts';
import { bodyOf, type TypingEvidence } from '#simulation/evidence.ts';
import { closePages, forgetTab, openPage, type World } from '#simulation/world.ts';
import { signIn, signOut } from './session.ts';
import { finishPage, isOpen, somePage, writeText, type Page } from './writing.ts';

/** Text that is typed without a pause, and pages that end in the middle of it. */

const MINUTE_MS = 60_000;
const PAUSE_MS = 500;
/** Longer than the differences between the product's timers. */
const SLICE_MS = 50;
const MAX_KEYS = 24;

interface Field {
  readonly questionId: string;
  readonly typing: Typing;
  /** Lets time pass as on a page that stores its typed text. */
  readonly pass: (ms: number) => Promise<void>;
  /** The page has ended: its timers do nothing any more. */
  readonly close: () => void;
}

function createField(world: World, page: Page, questionId: string): Field {
  const { timeline, plant } = world;
  let isShown = true;
  const storing = new Set<Promise<unknown>>();
  const store = (answer: Answer): Promise<unknown> => {
    const stored = writeText(world, page, answer);
    storing.add(stored);
    return stored.finally(() => storing.delete(stored));
  };
  const typing = (plant.createTyping ?? createTyping)({
    store,
    onFailure: () => undefined,
    timers: {
      set: (run, ms) => timeline.set(() => isShown && page.tab.isAlive() && run(), ms),
      clear: timeline.clear,
    },
  });
  return {
    questionId,
    typing,
    close: () => {
      isShown = false;
    },
    pass: async (ms) => {
      for (let left = ms; left > 0; left -= SLICE_MS) {
        timeline.advance(Math.min(left, SLICE_MS));
        do {
          await turn();
          await Promise.allSettled(storing);
        } while (storing.size > 0);
      }
    },
  };
}

const isNewer = (a: OperationRow, b: OperationRow): boolean =>
  a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence > b.sequence);

/** The newest answer to the question on a device, for any signed-in person. */
async function newestOn(
  world: World,
  device: Device,
  attemptId: string,
  questionId: string,
): Promise<OperationRow | null> {
  const own = (await operationsOn(device, world.server)).filter(
    (one) => one.attemptId === attemptId && one.questionId === questionId,
  );
  return own.reduce<OperationRow | null>((a, b) => (a && isNewer(a, b) ? a : b), null);
}

interface Typed {
  readonly answer: Answer;
  readonly at: number;
  readonly schoolAt: number;
}

/** Types, and measures how long a key is missing on the device. */
async function typeKeys(world: World, page: Page, field: Field) {
  const { random, timeline, server } = world;
  const { tab, view } = page;
  const { questionId, typing } = field;
  const keys: (Typed & { text: string })[] = [];
  const every = random.pick([80, 135, 350, 700]);
  let longestWaitMs = 0;
  let text = '';
  for (let count = random.between(4, MAX_KEYS); count > 0 && tab.isAlive(); count -= 1) {
    text += random.between(text === '' ? 1 : 0, 9);
    const answer: Answer = { questionId, kind: 'open', text };
    if (!typing.type(answer)) break;
    tab.outbox.noteTyped(view, answer);
    keys.push({ answer, text, at: timeline.now(), schoolAt: server.schoolTime() });
    await field.pass(every + random.between(-every / 4, every / 4));
    const row = tab.isAlive()
      ? await newestOn(world, tab.device, view.attemptId, questionId)
      : null;
    const stored = row?.answer?.kind === 'open' ? row.answer.text : '';
    const first = tab.isAlive() ? keys.find((key) => !stored.startsWith(key.text)) : undefined;
    if (first) longestWaitMs = Math.max(longestWaitMs, timeline.now() - first.at);
  }
  return { last: keys.at(-1) ?? null, longestWaitMs };
}

/** Records what a start of a page stored of the text that an earlier one noted. */
function recordRestored(
  world: World,
  page: Page,
  { answer, at, schoolAt }: Typed,
  row: OperationRow | null,
): void {
  const { record, history } = world;
  const body = bodyOf(answer);
  if (!row || record.operation(row.operationId) || bodyOf(row.answer) !== body) return;
  const { operationId, attemptId, questionId, stream, epoch, sequence } = row;
  history.note(`  restores ${history.name('o', operationId)} #${sequence}`);
  record.writes.push({
    operationId,
    kind: 'answer',
    user: page.view.owner,
    device: page.tab.device.label,
    attemptId,
    questionId,
    body,
    stream,
    epoch,
    sequence,
    saved: true,
    killed: false,
    at,
    schoolAt,
  });
}

/** Another page of the device writes to the same question before the next one starts. */
async function answerElsewhere(
  world: World,
  page: Page,
  questionId: string,
): Promise<string | null> {
  const { tab, view } = page;
  const other = world.tabs.find(
    (one) => one !== tab && one.device === tab.device && one.attemptId === view.attemptId,
  );
  if (!other?.isAlive()) return null;
  world.timeline.advance(world.random.between(1_000, 20_000));
  const answer: Answer = { questionId, kind: 'open', text: `${world.random.int(1_000_000)}` };
  const stored = await writeText(world, { tab: other, view }, answer);
  return stored?.saved ? bodyOf(answer) : null;
}

/** Starts the page again, perhaps with a power cut in the middle of it. */
async function startAgain(world: World, device: Device): Promise<void> {
  const { random } = world;
  device.power.cutAfter(random.chance(0.3) ? random.between(1, 8) : null);
  await openPage(world, device);
  device.power.cutAfter(null);
  if (!device.power.wentOut()) return;
  closePages(world, device);
  device.clock.reboot();
  world.history.fault('powerCut', device.label);
  await openPage(world, device);
}

type End = 'pause' | 'finish' | 'killed' | 'signOut';

const someEnd = ({ random, students }: World): End =>
  random.weighted([
    [4, 'pause'],
    [1, 'finish'],
    [8, 'killed'],
    [students.length > 1 ? 4 : 0, 'signOut'],
  ]);

/** The number of other people's typed texts that can be read on the device. */
const countForeign = ({ texts, session }: Device): number =>
  Array.from({ length: texts.length }, (_, index) => texts.getItem(texts.key(index) ?? '')).filter(
    (text) => text !== null && !text.includes(session?.person.userId ?? 'nobody'),
  ).length;

/** Ends the page in the middle of typing. Returns a newer answer of another page, if there is one. */
async function endPage(world: World, page: Page, field: Field, end: End): Promise<string | null> {
  const { tab } = page;
  const { device } = tab;
  field.close();
  if (end === 'signOut') {
    const others = world.students.filter(({ userId }) => userId !== page.view.owner);
    await signOut(world, device);
    if (world.random.chance(0.7)) await signIn(world, device, world.random.pick(others).userId);
    return null;
  }
  tab.die();
  forgetTab(world, tab);
  world.history.fault('pageKilled', `${tab.label} while typing`);
  const newer = world.random.chance(0.5)
    ? await answerElsewhere(world, page, field.questionId)
    : null;
  await startAgain(world, device);
  return newer;
}

/** A student types steadily; then pauses, finishes, leaves, or the page ends. */
export async function typeSteadily(world: World): Promise<void> {
  const { random, record, history } = world;
  const page = await somePage(world, isOpen);
  const test = world.tests.find(({ testId }) => testId === page?.view.testId);
  const question = test?.questions.find(({ kind }) => kind === 'open');
  if (!page || !question || page.view.remainingMs < 5 * MINUTE_MS) return;
  const { tab, view } = page;
  const { device } = tab;
  if (device.isFull || device.wasFull || world.poisonNext) return;
  const { questionId } = question;
  const { attemptId } = view;
  const field = createField(world, page, questionId);
  const end = someEnd(world);
  if (end === 'killed' && random.chance(0.4)) tab.dieAfter(random.between(1, 12));
  const { last, longestWaitMs } = await typeKeys(world, page, field);
  tab.dieAfter(null);
  if (!last) return;
  const body = bodyOf(last.answer);
  const storedBody = async () =>
    bodyOf((await newestOn(world, device, attemptId, questionId))?.answer ?? null);
  let isLateAtPause = false;
  let next: TypingEvidence['next'] = null;
  if (end === 'pause') {
    await field.pass(PAUSE_MS);
    isLateAtPause = (await storedBody()) !== body;
  } else if (end === 'finish') {
    field.typing.close();
    await field.typing.commit();
    isLateAtPause = (await storedBody()) !== body;
    await finishPage(world, page);
  } else {
    const newer = await endPage(world, page, field, end);
    const row = await newestOn(world, device, attemptId, questionId);
    recordRestored(world, page, last, row);
    const foreign = countForeign(device);
    next = { expected: newer ?? body, stored: bodyOf(row?.answer ?? null), foreign };
  }
  field.close();
  history.note(`${tab.label} typed ${body.slice(-24)}, ${end}, waited ${longestWaitMs} ms`);
  record.typings.push({ attemptId, questionId, longestWaitMs, isLateAtPause, next });
}
