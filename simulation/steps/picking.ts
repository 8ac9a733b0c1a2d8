import { setImmediate as turn } from 'node:timers/promises';
import { createFilePicks, type FilePicks } from '#app/questions/file/file-picks.ts';
import { somePicture } from '#simulation/answers.ts';
import type { PickFate } from '#simulation/evidence.ts';
import type { Random } from '#simulation/random.ts';
import type { World } from '#simulation/world.ts';
import { addFileTo, finishPage, isOpen, somePage, type Page } from './writing.ts';

/** Files that the system delivers slowly: their reads end in any order, and a finish may come first. */

const FAILED_READ = 0.15;
const FINISH_MEANWHILE = 0.4;

interface Read {
  readonly end: () => void;
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  const rest = [...all];
  const order: T[] = [];
  while (rest.length > 0) order.push(...rest.splice(random.int(rest.length), 1));
  return order;
}

function fateOf(
  picks: FilePicks<number>,
  pick: number,
  stored: number[],
  newest: number,
): PickFate {
  if (stored.includes(pick)) return 'stored';
  const listed = picks.list().find(({ name }) => name === String(pick));
  if (listed?.step === 'failed' || listed?.step === 'missed') return listed.step;
  return pick < newest ? 'replaced' : 'vanished';
}

/** The student picks files one after another for one question; each replaces the previous one. */
async function pickAll(world: World, page: Page, questionId: string): Promise<void> {
  const { random, timeline, plant, record, history } = world;
  const count = random.between(2, 3);
  const stored: number[] = [];
  const storing: Promise<unknown>[] = [];
  const photos = Array.from({ length: count }, () => somePicture(random));
  const store = async (pick: number): Promise<string> => {
    const photo = photos[pick];
    const written = photo ? await addFileTo(world, page, questionId, photo) : null;
    if (!written) throw new Error('not stored');
    stored.push(pick);
    return written.operationId;
  };
  const picks = (plant.createFilePicks ?? createFilePicks)<number>({
    store: (_questionId, pick) => {
      const done = store(pick);
      storing.push(done);
      return done;
    },
    explain: () => 'not stored',
  });
  const reads: Read[] = photos.map((photo, pick) => {
    let end: () => void = () => undefined;
    const hasFailed = random.chance(FAILED_READ);
    const read = new Promise<number>((resolve, reject) => {
      end = () => (hasFailed ? reject(new Error('not readable')) : resolve(pick));
    });
    const size = photo.byteLength;
    picks.pick({ questionId, name: String(pick), size, replaces: true, read: () => read });
    return { end };
  });
  const finishAfter = random.chance(FINISH_MEANWHILE) ? random.int(count) : null;
  let storedBeforeFinish: number | null = null;
  for (const [index, { end }] of shuffled(reads, random).entries()) {
    if (index === finishAfter) {
      await picks.close();
      await Promise.allSettled(storing);
      await finishPage(world, page);
      storedBeforeFinish = stored.length;
    }
    timeline.advance(random.between(100, 4_000));
    end();
    await turn();
    await Promise.allSettled(storing);
    await turn();
  }
  if (!page.tab.isAlive()) return;
  const fates = photos.map((_, pick) => fateOf(picks, pick, stored, count - 1));
  history.note(`${page.tab.label} picks ${fates.join(', ')}`);
  record.picks.push({
    attemptId: page.view.attemptId,
    questionId,
    fates,
    stored,
    storedAfterFinish: storedBeforeFinish === null ? 0 : stored.length - storedBeforeFinish,
  });
}

export async function pickFiles(world: World): Promise<void> {
  const page = await somePage(world, isOpen);
  const test = world.tests.find(({ testId }) => testId === page?.view.testId);
  const question = test?.questions.find(({ kind }) => kind === 'file');
  if (page && question) await pickAll(world, page, question.questionId);
}
