import { expect, type Locator, type Page } from '@playwright/test';

const LETTER_PLACES: Readonly<Record<string, string>> = {
  а: 'KeyF',
  б: 'Comma',
  в: 'KeyD',
  м: 'KeyV',
};

/** Presses a key of the Russian layout. */
export async function pressRussian(page: Page, letter: string): Promise<void> {
  const code = LETTER_PLACES[letter.toLowerCase()];
  if (code === undefined) throw new Error(`where is ${letter} on a keyboard?`);
  const keyboard = await page.context().newCDPSession(page);
  const key = { key: letter, code, text: letter };
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  await keyboard.detach();
}

/** Presses Tab until the target has the focus; fails after too many steps. */
export async function tabTo(page: Page, target: Locator, within = 35): Promise<void> {
  await expect(target).toBeVisible();
  for (let step = 0; step < within; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, `reached with Tab within ${within} steps`).toBeFocused({ timeout: 1 });
}

/** The accessible names of the focused elements from here on, until the focus leaves the page. */
export async function focusOrder(page: Page, steps: number): Promise<string[]> {
  const met: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    met.push(
      await page.evaluate(() => {
        const { activeElement } = document;
        const label = activeElement?.closest('label') ?? activeElement;
        const spoken = activeElement?.getAttribute('aria-label') ?? label?.textContent;
        return (spoken ?? '').replace(/\s+/g, ' ').trim();
      }),
    );
  }
  return met;
}
