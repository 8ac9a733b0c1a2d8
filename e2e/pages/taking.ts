import type { Locator, Page } from '@playwright/test';

/** The taking page: one question, its answer and its state, the time, and the finish. */
export class Taking {
  readonly #page: Page;
  readonly heading: Locator;
  readonly timer: Locator;
  readonly sync: Locator;
  readonly textAnswer: Locator;
  readonly note: Locator;
  readonly onDevice: Locator;
  readonly onServer: Locator;
  readonly signInModal: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { level: 1 });
    this.timer = page.getByRole('timer');
    this.sync = page.getByRole('button', { name: /Где мои ответы/ });
    this.textAnswer = page.getByRole('textbox', { name: 'Ваш ответ' });
    const main = page.getByRole('main');
    this.note = main.getByRole('status').or(main.getByRole('alert')).filter({ hasText: /\S/ });
    this.onDevice = page.getByRole('main').getByText(/Сохранено на устройстве/);
    this.onServer = page.getByRole('main').getByText(/Сохранено на сервере/);
    this.signInModal = page.getByRole('dialog', { name: 'Войдите снова' });
  }

  option(text: string): Locator {
    return this.#page
      .getByRole('radio', { name: text })
      .or(this.#page.getByRole('checkbox', { name: text }));
  }

  leftItem(text: string): Locator {
    return this.#page.getByRole('main').getByRole('button').filter({ hasText: text });
  }

  fileCard(name: string): Locator {
    return this.#page.getByRole('main').getByText(name);
  }

  /** «Все вопросы»: beside the question from 1024 px, a dialog below that width. */
  async #allQuestions(): Promise<Locator> {
    await this.timer.waitFor();
    const aside = this.#page.getByRole('complementary', { name: 'Все вопросы' });
    if (await aside.isVisible()) return aside;
    await this.#page.getByRole('button', { name: /Все вопросы$|^\d+ из \d+$/ }).click();
    return this.#page.getByRole('dialog', { name: 'Все вопросы' });
  }

  /** Opens a question by «Все вопросы», and waits until it is shown. */
  async goTo(number: number): Promise<void> {
    const all = await this.#allQuestions();
    await all.getByRole('button', { name: new RegExp(`^Вопрос ${number},`) }).click();
    await this.#page
      .getByRole('heading', { level: 1, name: `Вопрос ${number}`, exact: true })
      .waitFor();
  }

  async choose(...options: string[]): Promise<void> {
    for (const text of options) await this.option(text).click();
  }

  /** Opens the options of a left item and chooses a right one. */
  async match(left: string, right: string): Promise<void> {
    const item = this.leftItem(left);
    if ((await item.getAttribute('aria-expanded')) !== 'true') await item.click();
    const named = this.#page.getByText(right, { exact: true });
    await this.#page.getByRole('option').filter({ has: named }).click();
  }

  async attach(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const choosing = this.#page.waitForEvent('filechooser');
    await this.#page.getByRole('button', { name: 'Выбрать файл' }).click();
    await (await choosing).setFiles(file);
  }

  /** Clicks finish, and confirms it. */
  async finish(): Promise<void> {
    const all = await this.#allQuestions();
    await all.getByRole('button', { name: 'Завершить тест…' }).click();
    await this.#page
      .getByRole('dialog', { name: 'Завершить тест?' })
      .getByRole('button', { name: 'Завершить тест', exact: true })
      .click();
  }
}
