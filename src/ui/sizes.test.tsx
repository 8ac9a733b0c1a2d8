import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { PageSpinner } from './layout/PageSpinner.tsx';
import { SelectField } from './forms/SelectField.tsx';
import { render } from './test-render.tsx';

const SHEETS = readdirSync('src/ui', { recursive: true, encoding: 'utf8' });
const sheet = (name: string) => {
  const path = SHEETS.find((one) => basename(one) === `${name}.module.css`);
  return readFileSync(`src/ui/${path}`, 'utf8');
};
const choices = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: `${index}`, label: `Класс ${index}` }));

test.each([
  [300, true],
  [301, false],
])('of %d options the system’s own list is used: %s', async (count, isNative) => {
  const { container, unmount } = await render(
    <SelectField
      native
      label="Класс"
      choices={choices(count)}
      value="0"
      onChange={() => undefined}
    />,
  );
  expect(container.querySelector('select') !== null).toBe(isNative);
  await unmount();
});

test('a list of choices is at most 190 px high, a large dialog 685 px and the error panel 400 px wide', () => {
  expect(sheet('SelectField')).toContain('max-height: 190px');
  expect(sheet('Modal')).toMatch(/\[data-size='lg'\] \.content \{\s*flex-basis: 685px/);
  expect(readFileSync('src/ui/layout/ErrorPanel.tsx', 'utf8')).toContain('maw={400}');
});

test('an option of a list is as high as a small button: 44 px by touch, 40 px by mouse', () => {
  expect(sheet('SelectField')).toMatch(/\.option \{[^}]*min-height: var\(--app-button-sm\);/);
  const sizes = [
    ...readFileSync('src/ui/global.css', 'utf8').matchAll(/--app-button-sm: ([^;]+)/g),
  ];
  expect(sizes.map(([, size]) => size)).toEqual(['2.75rem', '2.5rem']);
});

test('the sidebar appears at 1024 px and stays 75 px under the top, the bar of filters changes there too', () => {
  const shell = sheet('AppShell');
  expect(readFileSync('src/ui/layout/AppShell.tsx', 'utf8')).toContain(
    "cx(classes.sidebar, 'from-desktop')",
  );
  expect(readFileSync('src/ui/global.css', 'utf8')).toMatch(
    /@media \(max-width: 1023\.98px\) \{\s*\.from-desktop \{\s*display: none !important;/,
  );
  expect(shell.slice(shell.indexOf('@media (min-width: 1024px)'))).toMatch(
    /\.sidebar \{\s*position: var\(--app-sticky\);\s*top: 75px;/,
  );
  expect(sheet('FilterBar')).toContain('@media (min-width: 1024px)');
});

test('the spinner of a page is centred and has a text', async () => {
  const { container, unmount } = await render(<PageSpinner />);
  const page = container.querySelector('output');
  expect(page?.textContent).toBe('Загружаем');
  expect(page?.style.position).toBe('fixed');
  expect(page?.style.alignItems).toBe('center');
  expect(page?.style.justifyContent).toBe('center');
  await unmount();
});
