import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page, TestInfo } from '@playwright/test';
import { oneInTurn } from '#tests/whole.ts';
import { expect } from './test-school.ts';

const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const EVERY_RULE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};
/** The structure of a screen is the same in both schemes. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

const NARROWEST = 320;
const THUMB = 44;
const SCHEMES = oneInTurn(['light', 'dark'] as const);
/** How long a busy machine may take to draw the other scheme. */
const SCHEME_MS = 10_000;

async function axe(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await AXE);
  const { violations } = await page.evaluate((given) => {
    const { axe: found } = window as unknown as {
      axe: { run(context: Element | Document, o: RunOptions): Promise<AxeResults> };
    };
    // Elements behind an open dialog are no tap targets.
    const open = [...document.querySelectorAll('[aria-modal=true]')].at(-1);
    return found.run(open ?? document, given);
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

/**
 * Every rule. Depending on the scroll position, the sticky header may half cover a target, which axe reports as too
 * small: such a page is tested scrolled to its top.
 */
async function axeFromTop(page: Page): Promise<string[]> {
  const found = await axe(page, EVERY_RULE);
  const isCovered = (one: string) => one.startsWith('target-size') && one.includes('obscured');
  if (found.length === 0 || !found.every(isCovered)) return found;
  await page.evaluate(() => window.scrollTo(0, 0));
  return axe(page, EVERY_RULE);
}

/** Elements that make the page scroll sideways. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`page: ${scrollWidth} in ${clientWidth} px`);
    for (const dialog of document.querySelectorAll('[aria-modal=true], [aria-modal=true] > *')) {
      if (dialog.scrollWidth > dialog.clientWidth) found.push(`dialog: ${dialog.scrollWidth} px`);
    }
    if (found.length > 0) {
      for (const element of document.querySelectorAll('body *')) {
        if (element.getBoundingClientRect().right > clientWidth + 0.5) {
          found.push(element.outerHTML.slice(0, 120));
        }
      }
    }
    return found.slice(0, 6);
  });
}

/** Tap targets that are too small; links within running text are as high as the text. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const scope = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document.body;
    const targets = scope.querySelectorAll<HTMLElement>(
      'a[href], button, summary, select, textarea, input, [role=option], [role=button]',
    );
    return [...targets].flatMap((target) => {
      const isChoice = target.matches('[type=radio], [type=checkbox]');
      // A link over a whole row is as large as the row.
      const isRow = getComputedStyle(target, '::after').position === 'absolute';
      const around = isChoice ? target.closest('label') : isRow ? target.offsetParent : null;
      const box = (around ?? target).getBoundingClientRect();
      const isShown = target.checkVisibility({ visibilityProperty: true }) || isChoice;
      const isAway = box.width === 0 || box.bottom <= 0 || box.right <= 0;
      const isInText = target.matches('a') && getComputedStyle(target).display === 'inline';
      if (!isShown || isAway || isInText) return [];
      if (Math.round(box.width) >= least && Math.round(box.height) >= least) return [];
      const size = `${Math.round(box.width)} × ${Math.round(box.height)}`;
      return [`${size}: ${target.outerHTML.slice(0, 140)}`];
    });
  }, THUMB);
}

/** Disables motion: running transitions jump to their end, and colours change at once. */
async function hush(page: Page): Promise<void> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync(
      `*, ::before, ::after, ::backdrop {
        transition: none !important;
        animation-delay: 0s !important;
        animation-duration: 0s !important;
      }`,
    );
    document.adoptedStyleSheets.push(still);
  });
}

/** Ends `hush`; colours are final by then, so that nothing starts to move. */
async function unhush(page: Page): Promise<void> {
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
}

/** Waits until the page has drawn its width and scheme: one frame notifies it, the next one shows it. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const shown = frame().then(frame);
    // A page in the background draws nothing and is not waited for.
    await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  });
}

/** Switches to a scheme and waits until the page has drawn it. */
async function show(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
  await drawn(page);
}

/**
 * Audits the screen in both colour schemes, which take turns in `npm test`: no violation by axe, nothing wider than the page, and no small tap
 * targets on phones. With `PICTURES=1` saves screenshots.
 */
export async function audit(page: Page, info: TestInfo, name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  const picture = async (scheme: string) => {
    if (!process.env['PICTURES']) return;
    const path = info.outputPath(`${name}-${width}-${scheme}.png`);
    await page.screenshot({ path, animations: 'disabled' });
  };
  await drawn(page);
  await hush(page);
  expect.soft(await overflow(page), `${name} at ${width} px`).toEqual([]);
  for (const [index, scheme] of SCHEMES.entries()) {
    await show(page, scheme);
    // A real violation stays; an incomplete drawing does not.
    await expect.soft
      .poll(() => (index === 0 ? axeFromTop(page) : axe(page, COLOURS)), {
        message: `${name}, ${scheme}`,
        timeout: SCHEME_MS,
      })
      .toEqual([]);
    await picture(scheme);
  }
  await show(page, 'light');
  await unhush(page);
  if (width >= 640) return;
  expect.soft(await smallTargets(page), `${name}: touch targets`).toEqual([]);
  const { height } = page.viewportSize() ?? { height: 740 };
  await page.setViewportSize({ width: NARROWEST, height });
  await drawn(page);
  expect.soft(await overflow(page), `${name} at ${NARROWEST} px`).toEqual([]);
  await page.setViewportSize({ width, height });
}
