import type { Page } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.mjs';
import { firstUnlessWhole } from '#tests/whole.ts';
import { assignAll, openFilledBase } from './filled-base.ts';
import { Lists } from './pages/lists.ts';
import { expect, test } from './test-school.ts';
import { signIn } from './visitor.ts';

const launch = launchOptions();
// Users have scrollbars: one that appears with the rows takes its width from the page.
test.use({ launchOptions: { ...launch, ignoreDefaultArgs: ['--hide-scrollbars'] } });
// These journeys do not need the worker, and each new browser would first fill its caches.
test.use({ serviceWorkers: 'block' });

interface Shift {
  value: number;
  moved: string[];
}

/** Records layout shifts without user input, from the first frame on. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node?: Node }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        shifts.push({
          value: entry.value,
          moved: entry.sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 80) : String(node?.textContent),
          ),
        });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

const readShifts = (page: Page) =>
  page.evaluate(async () => {
    // The observer runs after the frame of the shift.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return (window as unknown as { shifts: Shift[] }).shifts;
  });

/** Requests of these addresses wait until the returned function is called. */
async function hold(page: Page, addresses: RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

for (const [width, height] of firstUnlessWhole([
  [360, 740],
  [820, 1180],
  [1280, 800],
] as const)) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 1024 });

    for (const [path, isSlow] of [
      ['/tests', false],
      ['/tests', true],
      ['/tests/my', false],
      ['/tests/my', true],
    ] as const) {
      test(`nothing on ${path} moves while rows and fonts arrive ${isSlow ? 'late' : 'at once'}`, async ({
        page,
        school,
      }) => {
        const { anna } = await openFilledBase(school, 65);
        await assignAll(school, anna.userId);
        await signIn(page, school, anna);
        await watchShifts(page);
        const releaseRows = await hold(page, /\/api\/Test(?:\/my)?(?:\?|$)/);
        const releaseFonts = await hold(page, /golos-text.*\.woff2$/);
        if (!isSlow) {
          releaseRows();
          releaseFonts();
        }
        await page.goto(`${school.network.url}${path}`);
        if (isSlow) await page.locator('[data-skeleton]').first().waitFor();
        releaseRows();
        await expect(new Lists(page).rows).toHaveCount(20);
        releaseFonts();
        await page.evaluate(() => document.fonts.ready);
        const shifts = await readShifts(page);
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        expect(sum, JSON.stringify(shifts)).toBeLessThan(0.01);
      });
    }
  });
}
