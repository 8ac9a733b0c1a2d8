import { getTestDetails, listMyTests } from '#contract/tests.ts';
import { pageConfig } from '#app/api/call.ts';
import { urlOf } from '#app/api/url.ts';
import { contentCache } from '#app/offline/content-cache.ts';

/**
 * Whether the worker has the pages that lead to a test without a network. It drops them at a sign-out, and where there is
 * no space for an answer.
 */
export async function arePagesCached(owner: string, testId: string): Promise<boolean> {
  const urls = [urlOf(listMyTests, {}), urlOf(getTestDetails, { params: { id: testId } })];
  try {
    const cached = await Promise.all(
      urls.map((url) => caches.match(pageConfig.baseUrl + url, { cacheName: contentCache(owner) })),
    );
    return cached.every((reply) => reply !== undefined);
  } catch {
    // A browser without caches, or one that forbids them here.
    return false;
  }
}

/** Waits until the worker has stored the pages: it replies before it stores. Looks at most so many times. */
export async function waitForPages(
  owner: string,
  testId: string,
  { looks, pause }: { readonly looks: number; readonly pause: () => Promise<void> },
): Promise<void> {
  for (let look = 1; look < looks && !(await arePagesCached(owner, testId)); look += 1)
    await pause();
}
