import { expect, type Locator } from '@playwright/test';

/** Items to put in order, with handles: in the editor, and in a student's test. */
export class Ordering {
  readonly #scope: Locator;
  readonly #names: readonly string[];
  readonly rows: Locator;

  /** @param names of the items, each a part of its row's text and of no other's */
  constructor(scope: Locator, names: readonly string[]) {
    this.#scope = scope;
    this.#names = names;
    this.rows = scope.getByRole('listitem').filter({ hasText: new RegExp(names.join('|')) });
  }

  /** Names from above. */
  async order(): Promise<(string | undefined)[]> {
    const rows = await this.rows.allTextContents();
    return rows.map((row) => this.#names.find((name) => row.includes(name)));
  }

  /** Moves an item by the keys of its handle; positions count from 1. */
  async carry(from: number, to: number): Promise<void> {
    const page = this.#scope.page();
    const said = (words: string) => expect(page.getByText(words)).toHaveCount(1);
    const { keyboard } = page;
    await this.#scope
      .getByRole('button', { name: `Переставить пункт ${from}`, exact: true })
      .focus();
    await keyboard.press('Space');
    // The item is lifted in a later turn of the page: an arrow before that would be lost.
    await said(`место ${from} из`);
    for (let place = from; place !== to;) {
      await keyboard.press(place > to ? 'ArrowUp' : 'ArrowDown');
      place += place > to ? -1 : 1;
      await said(`место ${place} из`);
    }
    await keyboard.press('Space');
    await said('Поставлено');
  }

  /** Moves an item up to a position by taps on its button. */
  async raise(name: string, to: number): Promise<void> {
    for (let at = (await this.order()).indexOf(name) + 1; at > to; at -= 1) {
      await this.#scope.getByRole('button', { name: `Выше ${name}` }).tap();
      await expect.poll(async () => (await this.order()).indexOf(name) + 1).toBe(at - 1);
    }
  }
}
