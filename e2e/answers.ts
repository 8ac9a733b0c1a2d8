import { expect, type Page } from '@playwright/test';
import type { Pool } from 'pg';
import { deviceOperations } from './device-rows.ts';
import { journal, type Journalled } from './journal.ts';

/** A photograph from a phone, drawn by the page's own browser. */
export async function photograph(page: Page): Promise<{
  name: string;
  mimeType: string;
  buffer: Buffer;
}> {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(640, 480);
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('no canvas');
    for (let step = 0; step < 200; step += 1) {
      pen.fillStyle = `hsl(${(step * 37) % 360} 60% 50%)`;
      pen.fillRect((step * 53) % 640, (step * 91) % 480, 40, 30);
    }
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  return { name: 'решение.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(bytes) };
}

/** Checks that all operations which these devices wrote and did not fold arrived, each once. */
export async function expectArrivedOnce(
  pages: readonly Page[],
  pool: Pool,
  attemptId: string,
): Promise<Journalled[]> {
  const written = (await Promise.all(pages.map(deviceOperations))).flat();
  const sent = written.filter(({ state }) => state !== 'folded');
  expect(sent.map(({ state }) => state)).toEqual(sent.map(() => 'acknowledged'));
  const arrived = await journal(pool, attemptId);
  expect(arrived.map(({ id }) => id).sort()).toEqual(
    sent.map(({ operationId }) => operationId).sort(),
  );
  return arrived;
}
