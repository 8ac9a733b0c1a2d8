import fc from 'fast-check';
import { expect } from 'vitest';
import type { ExportedTest, Imported, Reader, Writer } from '#interchange/model.ts';
import { expectedAfterRoundTrip } from './carried.ts';
import { exportedTest, publishable, unfinished } from './question-arbitrary.ts';

let made = 0;
/** Consecutive ids in the form of UUIDs. */
export const newId = (): string => {
  made += 1;
  return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
};

/** Whether the writer reported a loss of this question. */
const isLossReported = (losses: readonly string[], number: number): boolean =>
  losses.some((loss) => loss.startsWith(`Вопрос ${number}:`));

const isLeftOut = (losses: readonly string[], number: number): boolean =>
  losses.some((loss) => loss.startsWith(`Вопрос ${number}: не перенесён:`));

/** Exports and imports a test. */
export async function outAndBack(
  test: ExportedTest,
  write: Writer,
  read: Reader,
): Promise<{ imported: Imported; losses: readonly string[] }> {
  const { fileName, bytes, losses } = await write(test);
  return { imported: await read({ name: fileName, bytes }, { newId }), losses };
}

/** Every random question comes back equal, or its loss was reported. */
export async function expectRoundTrip(
  write: Writer,
  read: Reader,
  { numRuns = 300 }: { numRuns?: number } = {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(exportedTest(publishable), async (test) => {
      const { losses } = await write(test);
      const numbers = test.questions.map((_, index) => index + 1);
      const left = numbers.filter((number) => !isLeftOut(losses, number));
      if (left.length === 0) return;
      const { imported } = await outAndBack(test, write, read);
      expect(imported.refused).toEqual([]);
      expect(imported.items).toHaveLength(left.length);
      for (const [index, number] of left.entries()) {
        const [item, question] = [imported.items[index], test.questions[number - 1]];
        if (isLossReported(losses, number)) continue;
        expect(item && expectedAfterRoundTrip(item.question)).toEqual(
          question && expectedAfterRoundTrip(question),
        );
        expect(item?.losses).toEqual([]);
      }
    }),
    { numRuns },
  );
}

/** Unfinished questions are written and read without an error. */
export async function expectUnfinishedSafe(write: Writer, read: Reader): Promise<void> {
  await fc.assert(
    fc.asyncProperty(unfinished, async (question) => {
      const test = { title: 'Черновик', questions: [question], pictures: new Map() };
      const { imported, losses } = await outAndBack(test, write, read).catch((error: unknown) => {
        expect(error).toHaveProperty('name', 'UnreadableFile');
        return { imported: null, losses: ['Вопрос 1: файл пуст'] };
      });
      if (isLossReported(losses, 1)) return;
      const item = imported?.items[0];
      expect(item && expectedAfterRoundTrip(item.question)).toEqual(
        expectedAfterRoundTrip(question),
      );
    }),
    { numRuns: 200 },
  );
}
