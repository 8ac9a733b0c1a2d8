import { expect, type Locator, type Page } from '@playwright/test';

/** A list of tests with its search, filters and pages. */
export class Lists {
  readonly #page: Page;
  readonly search: Locator;
  readonly rows: Locator;
  readonly pager: Locator;
  readonly next: Locator;
  /** What is announced after the list has changed. */
  readonly found: Locator;
  /** The phone's button for filters, and the dialog it opens. */
  readonly filters: Locator;
  readonly sheet: Locator;
  readonly tabs: Locator;
  readonly sidebar: Locator;
  readonly bottomBar: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.search = page.getByRole('searchbox');
    this.rows = page.getByRole('main').getByRole('listitem');
    this.pager = page.getByRole('navigation', { name: 'Страницы списка' });
    this.next = this.pager.getByRole('button', { name: 'Следующая страница' });
    this.found = page.getByRole('status').filter({ hasText: /^Найден/ });
    this.filters = page.getByRole('button', { name: /^Фильтры и порядок/ });
    this.sheet = page.getByRole('dialog', { name: 'Фильтры и порядок' });
    this.tabs = page.getByRole('navigation', { name: 'Мои тесты' });
    this.sidebar = page.getByRole('navigation', { name: 'Страницы раздела' });
    this.bottomBar = page.getByRole('navigation', { name: 'Главные страницы' });
  }

  titles(): Promise<string[]> {
    return this.rows.getByRole('link').filter({ hasNotText: 'Продолжить' }).allInnerTexts();
  }

  row(title: string): Locator {
    return this.rows.filter({ has: this.#page.getByRole('link', { name: title, exact: true }) });
  }

  /** The field of a filter on a wide screen. */
  field(label: string): Locator {
    return this.#page.getByRole('main').getByLabel(label, { exact: true });
  }

  async choose(label: string, option: string): Promise<void> {
    await this.field(label).first().click();
    await this.#page.getByRole('option', { name: option, exact: true }).click();
    await expect(this.field(label).first()).toHaveValue(option);
  }
}
