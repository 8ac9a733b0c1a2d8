import type { FrameLocator, Locator, Page } from '@playwright/test';

export const sheetIsGone = (page: Page): Promise<void> =>
  page.getByRole('dialog').waitFor({ state: 'hidden' });

/** «Созданные мной». */
export class Created {
  readonly #page: Page;
  readonly create: Locator;
  readonly note: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.create = page.getByRole('button', { name: 'Создать тест' });
    this.note = page.getByRole('status').filter({ hasText: '«' });
  }

  row(title: string): Locator {
    return this.#page.getByRole('main').getByRole('listitem').filter({ hasText: title });
  }

  link(title: string): Locator {
    return this.#page.getByRole('main').getByRole('link', { name: title, exact: true });
  }

  /** Opens the menu of a row and chooses an action. */
  async act(title: string, action: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Действия с тестом «${title}»` }).click();
    await this.#page.getByRole('menuitem', { name: action }).click();
  }
}

/** The frame of one test and its settings. */
export class Manage {
  readonly #page: Page;
  readonly tabs: Locator;
  readonly modes: Locator;
  readonly save: Locator;
  readonly state: Locator;
  readonly guard: Locator;
  readonly conflict: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.tabs = page.getByRole('navigation', { name: 'Тест', exact: true });
    this.modes = page.getByRole('navigation', { name: 'Способ правки' });
    this.save = page.getByRole('button', { name: 'Сохранить', exact: true });
    this.state = page.getByRole('form').getByRole('status').last();
    this.guard = page.getByRole('dialog', { name: 'Уйти без сохранения?' });
    this.conflict = page.getByRole('region', { name: 'Тест изменили, пока вы его правили' });
  }

  tab(name: string): Locator {
    return this.tabs.getByRole('link', { name, exact: true });
  }

  mode(name: string): Locator {
    return this.modes.getByRole('link', { name, exact: true });
  }

  field(label: string): Locator {
    return this.#page.getByRole('form').getByLabel(label, { exact: true });
  }

  /** Saves after the sign-in was lost. Another call may find it lost first, and the form has left the screen. */
  async saveWithoutSignIn(): Promise<void> {
    await this.save.evaluateAll(([button]) => (button as HTMLElement | undefined)?.click());
    await this.#page.waitForURL('**/login?**');
  }

  /** Chooses from a drop-down list, native or custom. */
  async choose(label: string, option: string): Promise<void> {
    const field = this.#page.getByRole('form').getByLabel(label, { exact: true }).first();
    if (await field.evaluate((element) => element.tagName === 'SELECT')) {
      await field.selectOption({ label: option });
      return;
    }
    await field.click();
    await this.#page.getByRole('option', { name: option, exact: true }).click();
  }

  /** Picks from the list that a button of the form opens. */
  async pick(button: string, names: readonly string[]): Promise<void> {
    await this.#page.getByRole('button', { name: button }).click();
    const dialog = this.#page.getByRole('dialog');
    for (const name of names) {
      await dialog.getByLabel(/^Найти по/).fill(name);
      await dialog.getByRole('checkbox', { name }).check();
    }
    await dialog.getByRole('button', { name: 'Готово' }).click();
    await sheetIsGone(this.#page);
  }

  frame(name: 'телефон' | 'компьютер'): FrameLocator {
    return this.#page.frameLocator(`iframe[title="Предпросмотр: ${name}"]`);
  }
}
