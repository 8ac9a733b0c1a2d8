import type { Locator, Page } from '@playwright/test';

/** The frame of the pages around a test, on a phone or a tablet. */
export class Shell {
  readonly #page: Page;
  readonly sync: Locator;
  readonly resume: Locator;
  readonly updateOffer: Locator;
  readonly logoutQuestion: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.sync = page.getByRole('button', { name: /Где мои ответы/ });
    this.resume = page.getByRole('note').filter({ hasText: 'Идёт тест' });
    this.updateOffer = page.getByRole('status').filter({ hasText: 'новая версия приложения' });
    this.logoutQuestion = page.getByRole('dialog', { name: 'Выйти из учётной записи?' });
  }

  testLink(title: string): Locator {
    return this.#page.getByRole('link', { name: title, exact: true });
  }

  /** Back to a test that runs on this device, by the banner that every page has. */
  async resumeTest(): Promise<void> {
    await this.resume.getByRole('link', { name: 'Продолжить' }).click();
  }

  /** «Выйти» from the menu; a confirmation follows when something is unfinished. */
  async askToSignOut(): Promise<void> {
    await this.#page.getByRole('button', { name: /^Меню/ }).click();
    await this.#page.getByRole('dialog').getByRole('button', { name: 'Выйти' }).click();
  }

  async confirmSignOut(): Promise<void> {
    await this.logoutQuestion.getByRole('button', { name: 'Выйти' }).click();
  }
}
