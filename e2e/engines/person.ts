import { expect } from '@playwright/test';
import { PASSWORD } from '#e2e/test-school.ts';
import type { EnginePage } from './engine.ts';

type Role = 'button' | 'link' | 'textbox' | 'radio' | 'checkbox' | 'option' | 'heading' | 'file';

/**
 * Nothing is read or pressed on the page that was painted before the script (ADR 14): the app replaces it at any moment,
 * also between the steps of a click. What people do on it is tested in `painted.spec.ts`.
 */
const IS_PAINTED = 'document.querySelector("#painted, .before-app") !== null';

/**
 * Finds an element by its role and name, in the open dialog if there is one, and marks it. Computes the name as far as
 * this app's screens need it.
 */
const FIND = `
  if (${IS_PAINTED}) return null;
  const [role, source, mark] = arguments;
  const selectors = {
    button: 'button, [role=button]',
    link: 'a[href]',
    textbox: 'input:not([type=radio]):not([type=checkbox]):not([type=file]), textarea',
    radio: 'input[type=radio]',
    checkbox: 'input[type=checkbox]',
    option: '[role=option]',
    heading: 'h1, h2, h3',
    file: 'input[type=file]',
  };
  const textOf = (ids) => ids.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  const nameOf = (element) =>
    (element.getAttribute('aria-label')
      ?? (element.hasAttribute('aria-labelledby') ? textOf(element.getAttribute('aria-labelledby')) : null)
      ?? ([...(element.labels ?? [])].map((label) => label.textContent).join(' ') || element.textContent || '')
    ).replace(/\\s+/g, ' ').trim();
  const isInput = ['radio', 'checkbox', 'file'].includes(role);
  const isSeen = (element) => isInput || element.getClientRects().length > 0;
  const within = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document;
  const found = [...within.querySelectorAll(selectors[role])]
    .find((element) => isSeen(element) && new RegExp(source).test(nameOf(element)));
  if (!found) return null;
  const target = role === 'radio' || role === 'checkbox' ? (found.closest('label') ?? found.labels[0] ?? found) : found;
  target.setAttribute('data-target', mark);
  return { checked: found.checked === true };
`;

/** The position of an element that a click would reach; empty while something covers it. */
const PLACE = `
  const element = document.querySelector(arguments[0]);
  element.scrollIntoView({ block: 'nearest' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  return element.contains(hit) ? [x, y, width, height].join(' ') : '';
`;

/** A user of any engine's page. */
export class EnginePerson {
  readonly page: EnginePage;
  #marks = 0;

  constructor(page: EnginePage) {
    this.page = page;
  }

  /** Waits until it is there; returns a selector of it. */
  async find(role: Role, name: RegExp): Promise<string> {
    this.#marks += 1;
    const mark = `m${this.#marks}`;
    await expect
      .poll(() => this.page.run(FIND, role, name.source, mark).catch(() => null), {
        message: `${role} ${name.source}`,
      })
      .not.toBeNull();
    return `[data-target="${mark}"]`;
  }

  async click(role: Role, name: RegExp): Promise<void> {
    const selector = await this.find(role, name);
    await this.#staysInPlace(selector);
    await this.page.click(selector);
  }

  /** Chooses an option. Distinguishes a click that changed nothing from an answer that is not stored. */
  async choose(role: 'radio' | 'checkbox', name: RegExp): Promise<void> {
    await this.click(role, name);
    await expect
      .poll(() => this.isChosen(role, name), { message: `${role} ${name.source} is chosen` })
      .toBe(true);
  }

  /**
   * The engines' drivers first compute the position and then click: they would miss an element that moves or is
   * covered.
   */
  async #staysInPlace(selector: string): Promise<void> {
    let before = '';
    await expect
      .poll(
        async () => {
          const last = before;
          before = await this.page.run<string>(PLACE, selector);
          return before !== '' && before === last;
        },
        { message: `${selector} stays in its place`, intervals: [50] },
      )
      .toBe(true);
  }

  async type(name: RegExp, text: string): Promise<void> {
    const selector = await this.find('textbox', name);
    await this.#staysInPlace(selector);
    await this.page.type(selector, text);
  }

  async isChosen(role: 'radio' | 'checkbox', name: RegExp): Promise<boolean> {
    const state = await this.page.run<{ checked: boolean } | null>(FIND, role, name.source, 'look');
    return state?.checked === true;
  }

  async signIn(email: string): Promise<void> {
    await this.type(/^Почта/, email);
    await this.type(/^Пароль/, PASSWORD);
    await this.click('button', /^Войти$/);
  }

  /** From the list of tests, which a visitor reaches by signing in. */
  async signInAndStart(listUrl: string, email: string, testName: RegExp): Promise<void> {
    await this.page.goto(listUrl);
    await this.signIn(email);
    await this.click('link', testName);
    await this.click('button', /^Начать/);
  }

  text(): Promise<string> {
    return this.page
      .run<string>(`return ${IS_PAINTED} ? '' : document.body.innerText`)
      .catch(() => '');
  }

  async sees(text: RegExp): Promise<void> {
    await expect.poll(() => this.text(), { message: `the page says ${text.source}` }).toMatch(text);
  }
}
