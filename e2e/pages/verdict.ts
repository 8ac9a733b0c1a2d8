import type { Locator, Page } from '@playwright/test';

/** After the finish: whether the app may be closed, and the result below. */
export class Verdict {
  readonly mayClose: Locator;
  readonly stay: Locator;

  constructor(page: Page) {
    this.mayClose = page.getByRole('heading', { level: 1, name: 'Можно закрывать' });
    this.stay = page.getByRole('heading', { level: 1, name: /^Не закрывайте/ });
  }
}
