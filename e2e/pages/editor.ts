import { expect, type Locator, type Page } from '@playwright/test';
import { withMoment } from './moment.ts';

/** Selects a word of a text, as by a double tap on it. */
export const selectWord = (text: Locator, word: string): Promise<void> =>
  text.evaluate((field: HTMLTextAreaElement, chosen) => {
    const start = field.value.indexOf(chosen);
    field.focus();
    field.setSelectionRange(start, start + chosen.length);
  }, word);

/** «Вручную»: the list of questions and the form of one. */
export class Editor {
  readonly #page: Page;
  readonly rows: Locator;
  readonly form: Locator;
  readonly seen: Locator;
  readonly onServer: Locator;
  readonly publish: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.rows = page.getByRole('list', { name: 'Вопросы теста' }).locator('[data-row]');
    this.form = page.getByRole('article', { name: /^Вопрос \d+$/ });
    this.seen = page.getByRole('region', { name: 'Как увидит ученик' });
    this.onServer = page.getByText(withMoment('^черновик на сервере, ', '$'));
    this.publish = page.getByRole('button', { name: 'Опубликовать', exact: true });
  }

  /** Short names in the order of the list. */
  names(): Promise<(string | null)[]> {
    return this.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('title')));
  }

  row(name: string): Locator {
    return this.rows.and(this.#page.getByTitle(name, { exact: true }));
  }

  field(label: string): Locator {
    return this.form.getByRole('textbox', { name: label, exact: true });
  }

  /** Adds a question of a kind and writes its text, which has the focus then. */
  async add(kind: string, text: string): Promise<void> {
    await this.#page.getByRole('button', { name: 'Добавить вопрос' }).click();
    await this.#page.getByRole('menuitem', { name: kind, exact: true }).click();
    await expect(this.field('Текст вопроса')).toBeFocused();
    await this.#page.keyboard.type(text);
  }

  /** Fills fields by their labels; more of them appear as they are filled. */
  async write(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.field(label).fill(value);
  }

  async right(...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      await this.form
        .getByRole('checkbox', { name: `Верный: вариант ${number}`, exact: true })
        .setChecked(true, { force: true });
    }
  }

  /** Puts a picture into the text of the question, with its description. */
  async picture(file: { name: string; mimeType: string; buffer: Buffer }, alt: string) {
    const choosing = this.#page.waitForEvent('filechooser');
    await this.form
      .getByRole('toolbar', { name: 'Оформление: Текст вопроса' })
      .getByRole('button', { name: /картин/i })
      .click();
    await (await choosing).setFiles(file);
    const sheet = this.#page.getByRole('dialog', { name: 'Картинка' });
    await sheet.getByLabel('Что на картинке?').fill(alt);
    await sheet.getByRole('button', { name: 'Вставить' }).click();
    await expect(sheet).toBeHidden();
  }
}
