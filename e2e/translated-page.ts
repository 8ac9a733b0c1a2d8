import { expect, type Page } from '@playwright/test';

/** Changes every text node of a page, now and later, like Chrome's translation. */
export const translatePages = (page: Page) =>
  page.addInitScript(() => {
    const translate = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      for (let node: Node | null = root; node; node = walker.nextNode()) texts.push(node);
      for (const text of texts) {
        const parent = text.parentElement;
        if (text.nodeType !== Node.TEXT_NODE || !parent || !text.textContent?.trim()) continue;
        if (parent.closest('font, script, style, title, textarea, option, svg, math')) continue;
        const outer = document.createElement('font');
        const inner = document.createElement('font');
        outer.append(inner);
        inner.textContent = text.textContent;
        text.parentNode?.replaceChild(outer, text);
      }
    };
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of addedNodes.length > 0 ? addedNodes : [target]) translate(node);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });

/** Texts that React wrote beside other children, and that it would go on writing to after a translation. */
export const looseTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Fiber {
      tag: number;
      memoizedProps: unknown;
      child: Fiber | null;
      sibling: Fiber | null;
    }
    const HOST_TEXT = 6;
    const roots = Object.entries(document.getElementById('root') ?? {});
    const root = roots.find(([key]) => key.startsWith('__reactContainer$'))?.[1] as
      | (Fiber & { stateNode: { current: Fiber } })
      | undefined;
    if (!root) throw new Error('React has no root here');
    const found = new Set<string>();
    const visit = (fiber: Fiber | null) => {
      for (let each = fiber; each; each = each.sibling) {
        if (each.tag === HOST_TEXT && String(each.memoizedProps).trim() !== '')
          found.add(String(each.memoizedProps));
        visit(each.child);
      }
    };
    visit(root.stateNode.current);
    return [...found];
  });

/** The page is translated and shows no error. */
export async function expectTranslated(page: Page, step: string): Promise<void> {
  await expect(page.locator('font font').first(), step).toBeAttached();
  await expect(page.getByText('Что-то пошло не так!'), step).toHaveCount(0);
}
