import type { Locator, Page } from '@playwright/test';

/** After the finish: whether the app may be closed, and the result below. */
export class Verdict {
  readonly #page: Page;
  readonly mayClose: Locator;
  readonly stay: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.mayClose = page.getByRole('heading', { level: 1, name: 'Можно закрывать' });
    this.stay = page.getByRole('heading', { level: 1, name: /^Не закрывайте/ });
  }

  /** Opens «Где мои ответы», and closes it again by «back». */
  async lookAtAnswers(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Мои ответы', exact: true }).click();
    const sheet = this.#page.getByRole('dialog', { name: 'Где мои ответы' });
    await sheet.waitFor();
    await this.#page.goBack();
    await sheet.waitFor({ state: 'hidden' });
  }
}
