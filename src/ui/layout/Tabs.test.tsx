import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ShellLinkProps } from './ShellLink.ts';
import { Tabs } from './Tabs.tsx';
import { render, type Rendered } from '#app/ui/test-render.tsx';

const link = ({ to, children, className, ...rest }: ShellLinkProps) => (
  <a href={to} className={className} aria-current={rest['aria-current']}>
    {children}
  </a>
);
const tabs = (chosen: string) =>
  ['Содержание теста', 'Настройки', 'Предпросмотр'].map((label) => ({
    to: `#${label}`,
    label,
    active: label === chosen,
  }));

let screen: Rendered;
let isNarrow: boolean;
beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(max-width: 540px)' && isNarrow,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
afterEach(async () => {
  localStorage.clear();
  vi.unstubAllGlobals();
  await screen.unmount();
});

const details = () => screen.container.querySelector('details');
const links = () => [...screen.container.querySelectorAll('nav a')];

const show = async (chosen: string) => {
  screen = await render(<Tabs label="Тест" tabs={tabs(chosen)} link={link} folds />);
};
/** What a browser does when a person folds or unfolds them. */
const toggle = (open: boolean) =>
  act(async () => {
    const element = details();
    if (element) element.open = open;
    element?.dispatchEvent(new Event('toggle'));
  });
const summary = () => screen.container.querySelector('summary')?.textContent;

test('on a phone all tabs show at first; folded ones show the chosen one, on the next page and after a reload', async () => {
  isNarrow = true;
  await show('Настройки');
  expect([details()?.open, summary()]).toEqual([true, 'Тест']);
  expect(links().map(({ textContent }) => textContent)).toEqual([
    'Содержание теста',
    'Настройки',
    'Предпросмотр',
  ]);
  expect(links().map((one) => one.getAttribute('aria-current'))).toEqual([null, 'page', null]);
  await toggle(false);
  expect([details()?.open, summary()]).toEqual([false, 'Тест: Настройки']);
  await screen.show(<Tabs label="Тест" tabs={tabs('Предпросмотр')} link={link} folds />);
  expect([details()?.open, summary()]).toEqual([false, 'Тест: Предпросмотр']);
  await screen.unmount();
  await show('Предпросмотр');
  expect(details()?.open).toBe(false);
  await toggle(true);
  await screen.unmount();
  await show('Настройки');
  expect([details()?.open, summary()]).toEqual([true, 'Тест']);
});

test('tabs fold and open where local storage is forbidden', async () => {
  isNarrow = true;
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied', 'SecurityError');
  });
  await show('Настройки');
  await toggle(false);
  expect([details()?.open, summary()]).toEqual([false, 'Тест: Настройки']);
  vi.restoreAllMocks();
});

test.each([
  ['where there is room', false, true],
  ['that do not fold', true, false],
])('tabs %s are all shown', async (_, narrow, folds) => {
  isNarrow = narrow;
  screen = await render(<Tabs label="Тест" tabs={tabs('Настройки')} link={link} folds={folds} />);
  expect(details()).toBeNull();
  expect(links()).toHaveLength(3);
});
