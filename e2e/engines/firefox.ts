import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { launch, type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { engineProgram } from '#scripts/lib/engines.mjs';
import type { EngineBrowser, EnginePage } from './engine.ts';

const TIMEOUT_MS = 60_000;

async function found(page: Page, selector: string): Promise<ElementHandle> {
  const element = await page.$(selector);
  if (!element) throw new Error(`nothing on the page is ${selector}`);
  return element;
}

/** Firefox by WebDriver BiDi, with a profile on the disk. */
export async function openFirefox(): Promise<EngineBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'exam-room-firefox-'));
  let browser: Browser;
  let page: Page;

  async function start(): Promise<void> {
    browser = await launch({
      browser: 'firefox',
      executablePath: engineProgram('firefox'),
      headless: true,
      userDataDir: profile,
      timeout: TIMEOUT_MS,
    });
    await openTab();
  }
  async function openTab(): Promise<void> {
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 860 });
    page.setDefaultTimeout(TIMEOUT_MS);
  }
  await start();

  // BiDi does not always report a page from the back/forward cache as loaded, so only the address is waited for.
  const step = async (direction: 'back' | 'forward') => {
    const address = () => page.evaluate('location.href').catch(() => null);
    const before = await address();
    await page.evaluate(`history.${direction}()`);
    await expect
      .poll(async () => [before, null].includes((await address()) as string | null), {
        timeout: TIMEOUT_MS,
        message: `${direction} of ${String(before)}`,
      })
      .toBe(false);
  };
  const quick = { waitUntil: 'domcontentloaded' } as const;
  const driven: EnginePage = {
    goto: async (url) => {
      // A page that is still loading sometimes aborts the next navigation.
      await page.goto(url, quick).catch((cause: unknown) => {
        if (!/NS_BINDING_ABORTED/.test(String(cause))) throw cause;
        return page.goto(url, quick);
      });
    },
    reload: async () => void (await page.reload(quick)),
    back: () => step('back'),
    forward: () => step('forward'),
    run: <T>(body: string, ...args: unknown[]) =>
      page.evaluate(`(function () {${body}}).apply(null, ${JSON.stringify(args)})`) as Promise<T>,
    click: async (selector) => (await found(page, selector)).click(),
    type: async (selector, text) => {
      const element = await found(page, selector);
      await element.click({ count: 3 });
      await element.type(text);
    },
    attach: async (selector, path) => {
      const element = (await found(page, selector)) as ElementHandle<HTMLInputElement>;
      await element.uploadFile(path);
    },
  };
  return {
    page: driven,
    async reopen() {
      const closing = page;
      await openTab();
      await closing.close();
    },
    async end() {
      const running = browser.process();
      const gone = new Promise((resolve) => running?.once('exit', resolve));
      running?.kill('SIGKILL');
      await gone;
      await start();
    },
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
