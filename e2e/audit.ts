import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page, TestInfo } from '@playwright/test';
import { expect } from './room.ts';

const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const EVERY_RULE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};
/** The structure of a screen is the same in both schemes. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

const NARROWEST = 320;
const THUMB = 44;

async function axe(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await AXE);
  const { violations } = await page.evaluate((given) => {
    const { axe: found } = window as unknown as {
      axe: { run(context: Element | Document, o: RunOptions): Promise<AxeResults> };
    };
    // What lies behind an open dialog is nobody's target.
    const open = [...document.querySelectorAll('dialog[open]')].at(-1);
    return found.run(open ?? document, given);
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

/** Whatever makes the page scroll sideways. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`page: ${scrollWidth} in ${clientWidth} px`);
    for (const dialog of document.querySelectorAll('dialog[open], dialog[open] > *')) {
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

/** Targets that a thumb would miss; links within running text are as high as the text. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const scope = document.querySelector('dialog:modal') ?? document.body;
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

/** Switches to a scheme; colours change in a transition, which is over then. */
async function show(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const settled = async () => {
      await frame();
      await frame();
      const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
      await Promise.allSettled(changes.map(({ finished }) => finished));
    };
    // A change takes 120 ms; one that is held back by the page is not waited for.
    await Promise.race([settled(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  });
}

/**
 * Looks at the screen shown in both colour schemes: nothing that axe calls a violation, nothing
 * wider than the page, and on phones nothing that a thumb would miss. With `PICTURES=1` saves
 * pictures to look at.
 */
export async function audit(page: Page, info: TestInfo, name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  const picture = async (scheme: string) => {
    if (!process.env['PICTURES']) return;
    const path = info.outputPath(`${name}-${width}-${scheme}.png`);
    await page.screenshot({ path, animations: 'disabled' });
  };
  expect.soft(await axe(page, EVERY_RULE), `${name}, light`).toEqual([]);
  expect.soft(await overflow(page), `${name} at ${width} px`).toEqual([]);
  await picture('light');
  await show(page, 'dark');
  expect.soft(await axe(page, COLOURS), `${name}, dark`).toEqual([]);
  await picture('dark');
  await show(page, 'light');
  if (width >= 640) return;
  expect.soft(await smallTargets(page), `${name}: touch targets`).toEqual([]);
  const { height } = page.viewportSize() ?? { height: 740 };
  await page.setViewportSize({ width: NARROWEST, height });
  expect.soft(await overflow(page), `${name} at ${NARROWEST} px`).toEqual([]);
  await page.setViewportSize({ width, height });
}
