import fc from 'fast-check';
import { expect } from 'vitest';
import { QUESTIONS_PER_FILE } from '#contract/limits.ts';
import { UnreadableFile, type Imported, type Reader } from '#interchange/model.ts';
import { cpuMs } from '#tests/cpu.ts';
import { shareInTurn } from '#tests/whole.ts';
import { newId } from './round-trip.ts';

/** Reads text or bytes; a refusal with a message is null, any other error fails the test. */
async function readOrRefused(
  read: Reader,
  given: string | Uint8Array,
  name = 'файл.txt',
): Promise<Imported | null> {
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  try {
    return await read({ name, bytes }, { newId });
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableFile);
    expect((error as Error).message).toMatch(/[а-яё]/i);
    return null;
  }
}

/** Arbitrary bytes, and the format's own characters in any order, are read or refused with a message. */
export async function expectHarmless(read: Reader, tokens: readonly string[]): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
      await readOrRefused(read, bytes);
    }),
    { numRuns: 200 },
  );
  const token = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...tokens) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(token, { maxLength: 40 }), async (parts) => {
      await readOrRefused(read, parts.join(''));
    }),
    { numRuns: 500 },
  );
}

/** Long repeated input is read quickly, so the time does not grow quadratically. */
export async function expectNoHang(read: Reader, units: readonly string[]): Promise<void> {
  for (const unit of shareInTurn(units, 3)) {
    const started = cpuMs();
    await readOrRefused(read, unit.repeat(Math.ceil(200_000 / unit.length)));
    expect(cpuMs() - started, JSON.stringify(unit.slice(0, 30))).toBeLessThan(20_000);
  }
}

/** A file with more questions than fit is read up to the limit, with a note. */
export async function expectBounded(read: Reader, one: (index: number) => string): Promise<void> {
  const file = Array.from({ length: QUESTIONS_PER_FILE + 5 }, (_, index) => one(index)).join('');
  const started = cpuMs();
  const imported = await readOrRefused(read, file);
  expect(cpuMs() - started).toBeLessThan(40_000);
  expect(imported?.items).toHaveLength(QUESTIONS_PER_FILE);
  expect(imported?.notes.join(' ')).toContain('Прочитаны первые');
}
