import { expect, type Locator, type Page } from '@playwright/test';

/** A test before its start. */
export class Overview {
  private readonly ready: Locator;
  readonly start: Locator;
  readonly goOn: Locator;
  readonly takeOver: Locator;

  constructor(page: Page) {
    this.ready = page.getByRole('status').filter({ hasText: 'Устройство готово' });
    this.start = page.getByRole('button', { name: 'Начать тест' });
    this.goOn = page.getByRole('button', { name: 'Продолжить', exact: true });
    this.takeOver = page.getByRole('dialog', { name: 'Продолжить на этом устройстве?' });
  }

  /** The worker fetches the whole app first, which takes long on a busy machine. */
  async untilReady(): Promise<void> {
    await expect(this.ready).toBeVisible();
  }

  /** Takes the attempt over from the device that owns it. */
  async goOnHere(): Promise<void> {
    await this.goOn.click();
    await this.takeOver.getByRole('button', { name: 'Продолжить здесь' }).click();
  }
}
