import type { Locator, Page } from '@playwright/test';

/** «Ход теста»: who is writing, and which answers arrive. */
export class BoardPage {
  readonly #page: Page;
  readonly updated: Locator;
  readonly notCurrent: Locator;
  readonly addTime: Locator;
  readonly stuck: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.updated = page.locator('p', { hasText: /^Обновлено в/ });
    this.notCurrent = page.getByRole('note').filter({ hasText: 'Нет связи с сервером' });
    this.addTime = page.getByRole('button', { name: 'Добавить время' });
    this.stuck = page.getByRole('region', { name: /^Ответы долго не доходят/ });
  }

  async open(base: string, testId: string, search = ''): Promise<void> {
    await this.#page.goto(`${base}/tests/manage/${testId}/live${search}`);
    await this.#page.getByRole('heading', { level: 2, name: 'Ход теста' }).waitFor();
    await this.updated.waitFor();
  }

  /** A count of the strip: «24 пишут». */
  count(words: string | RegExp): Locator {
    return this.#page.getByRole('list', { name: 'Итог' }).getByRole('listitem').filter({
      hasText: words,
    });
  }

  /** A student's line in the list of all. */
  row(name: string): Locator {
    return this.#page
      .getByRole('table', { name: /^Ученики/ })
      .getByRole('row')
      .filter({ hasText: name });
  }

  names(): Promise<string[]> {
    return this.#page
      .getByRole('table', { name: /^Ученики/ })
      .locator('tbody th')
      .allInnerTexts();
  }

  filter(words: string): Locator {
    return this.#page
      .getByRole('navigation', { name: 'Кого показать' })
      .getByRole('link', { name: words });
  }

  dialog(name: string): Locator {
    return this.#page.getByRole('dialog', { name });
  }
}
