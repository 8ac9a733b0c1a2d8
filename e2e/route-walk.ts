import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { inProject } from '#scripts/lib/project.mjs';

/** Every address of the generated route tree, so that a new screen cannot be forgotten: `/tests/$testId`. */
export function everyRoute(): string[] {
  const tree = readFileSync(inProject('src', 'routeTree.gen.ts'), 'utf8');
  const byPath = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree)?.[1] ?? '';
  return [...byPath.matchAll(/'([^']+)': typeof/g)].map(([, path = '']) => path).sort();
}

/** The path with its parameters filled in. */
export const pathWith = (route: string, params: Readonly<Record<string, string>>): string =>
  route.replaceAll(/\$(\w+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${route}: what is ${name} in the walk?`);
    return value;
  });

/** The walk runs without a worker, which the page reports. */
const OF_THE_BLOCKED_WORKER =
  /^Service Worker registration blocked by Playwright|^Работа без сети не включилась/;

/** Reports of a page during a visit, and whether it still waits for the server. */
export interface Watched {
  /** Errors and warnings of the console, uncaught ones, and failed requests, each with its page. */
  readonly complaints: string[];
  /** Pending requests; an open stream is not counted. */
  pending(): number;
}

/** Records a page's errors from now on. A request aborted by the next navigation is no error. */
export function watch(page: Page): Watched {
  const complaints: string[] = [];
  const underWay = new Set<unknown>();
  const complain = (words: string) => complaints.push(`${new URL(page.url()).pathname}: ${words}`);
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type());
    if (isComplaint && !OF_THE_BLOCKED_WORKER.test(message.text())) complain(message.text());
  });
  page.on('pageerror', (error) => complain(error.message));
  page.on('request', (request) => {
    if (!/\/stream$|\/events$/.test(new URL(request.url()).pathname)) underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => {
    underWay.delete(request);
    const why = request.failure()?.errorText ?? '';
    if (!why.includes('ERR_ABORTED')) complain(`${request.method()} ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complain(`${response.status()} ${response.url()}`);
  });
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && frame.url().startsWith('http')) return;
    underWay.clear();
  });
  return { complaints, pending: () => underWay.size };
}

/** The screen is ready: its heading is visible and no request is pending. */
export async function settled(page: Page, pending: () => number): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true })).toHaveCount(1);
  await expect.poll(pending, { intervals: [20, 50, 100] }).toBe(0);
}
