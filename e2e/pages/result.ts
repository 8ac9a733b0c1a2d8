import type { Locator, Page } from '@playwright/test';

/** The result of an attempt: below the verdict, and on a page of its own. */
export class Result {
  readonly score: Locator;
  readonly of: Locator;

  constructor(page: Page) {
    const line = page.getByRole('paragraph').filter({ has: page.getByRole('strong') });
    this.score = line.getByRole('strong');
    this.of = line;
  }
}
