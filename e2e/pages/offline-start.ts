import { expect, type Locator, type Page } from '@playwright/test';

/** The begin of a test without a network: its part of the overview, its dialog, and its note above the question. */
export class OfflineStart {
  readonly ready: Locator;
  readonly open: Locator;
  readonly wrongCode: Locator;
  readonly checkedLater: Locator;
  readonly held: Locator;
  readonly #dialog: Locator;

  constructor(page: Page) {
    this.ready = page
      .getByRole('status')
      .filter({ hasText: 'Тест загружен, его можно начать и без сети' });
    this.open = page.getByRole('button', { name: 'Начать без сети' });
    this.#dialog = page.getByRole('dialog', { name: 'Начать без сети' });
    this.wrongCode = this.#dialog.getByText('Код не подошёл. Проверьте его');
    this.checkedLater = page.getByText('Попытка начата на этом устройстве.');
    this.held = page.getByRole('status').filter({ hasText: 'Начало проверит преподаватель' });
  }

  async enter(code: string): Promise<void> {
    await this.#dialog.getByRole('textbox', { name: 'Код начала' }).fill(code);
    await this.#dialog.getByRole('button', { name: 'Начать' }).click();
  }

  /** Until a wrong code's wait is over. */
  async enterUntilTried(code: string): Promise<void> {
    await expect(async () => {
      if (await this.#dialog.isVisible()) await this.enter(code);
      await expect(this.#dialog).toBeHidden({ timeout: 5_000 });
    }).toPass();
  }
}
