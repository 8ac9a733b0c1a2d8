import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ShellLinkProps } from './ShellLink.ts';
import { Tabs } from './Tabs.tsx';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';

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
  vi.unstubAllGlobals();
  await screen.unmount();
});

const details = () => screen.container.querySelector('details');
const links = () => [...screen.container.querySelectorAll('nav a')];

test('on a phone tabs that fold show the chosen one until they are opened, and fold after another choice', async () => {
  isNarrow = true;
  screen = await render(<Tabs label="Тест" tabs={tabs('Настройки')} link={link} folds />);
  expect(details()?.open).toBe(false);
  expect(screen.container.querySelector('summary')?.textContent).toBe('Тест: Настройки');
  await click(screen.container.querySelector('summary'));
  expect(details()?.open).toBe(true);
  expect(links().map(({ textContent }) => textContent)).toEqual([
    'Содержание теста',
    'Настройки',
    'Предпросмотр',
  ]);
  expect(links().map((one) => one.getAttribute('aria-current'))).toEqual([null, 'page', null]);
  await screen.show(<Tabs label="Тест" tabs={tabs('Предпросмотр')} link={link} folds />);
  expect(details()?.open).toBe(false);
  expect(screen.container.querySelector('summary')?.textContent).toBe('Тест: Предпросмотр');
});

test.each([
  ['where there is room', false, true],
  ['that do not fold', true, false],
])('tabs %s all stand there', async (_, narrow, folds) => {
  isNarrow = narrow;
  screen = await render(<Tabs label="Тест" tabs={tabs('Настройки')} link={link} folds={folds} />);
  expect(details()).toBeNull();
  expect(links()).toHaveLength(3);
});
