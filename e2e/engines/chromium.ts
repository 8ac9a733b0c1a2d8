import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.mjs';
import type { EngineBrowser, EnginePage } from './engine.ts';

const quick = { waitUntil: 'domcontentloaded' } as const;

/** Chromium behind the same interface as the other engines, with a profile on the disk. */
export async function openChromium(): Promise<EngineBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'exam-room-chromium-'));
  let context: BrowserContext;
  let page: Page;
  async function start(): Promise<void> {
    context = await chromium.launchPersistentContext(profile, {
      ...launchOptions(),
      viewport: { width: 1280, height: 860 },
    });
    [page] = context.pages() as [Page];
  }
  await start();

  const driven: EnginePage = {
    goto: async (url) => void (await page.goto(url, quick)),
    reload: async () => void (await page.reload(quick)),
    back: async () => void (await page.goBack(quick)),
    forward: async () => void (await page.goForward(quick)),
    run: <T>(body: string, ...args: unknown[]) =>
      page.evaluate<T>(`(function () {${body}}).apply(null, ${JSON.stringify(args)})`),
    click: (selector) => page.click(selector),
    type: (selector, text) => page.fill(selector, text),
    attach: (selector, path) => page.setInputFiles(selector, path),
  };
  return {
    page: driven,
    async reopen() {
      const closing = page;
      page = await context.newPage();
      await closing.close();
    },
    async end() {
      await context.close();
      await start();
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
