import { IconBooks } from '@tabler/icons-react';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { AppShell } from './AppShell.tsx';
import type { ShellLinkProps } from './ShellLink.ts';
import { click, press, render } from '#app/ui/test-render.tsx';

const Link = ({ to, timing = 'immediate', children, ...rest }: ShellLinkProps) => (
  <a href={to} data-timing={timing} {...rest}>
    {children}
  </a>
);

const shell = (onLogout: () => void) => (
  <AppShell
    title="База тестов"
    sections={[{ to: '#tests', label: 'Тесты', active: true }]}
    entries={[
      { to: '#base', label: 'База тестов', shortLabel: 'База', icon: IconBooks, active: true },
      { to: '#my', label: 'Мои тесты', icon: IconBooks, active: false },
    ]}
    user={{ name: 'Анна Кузнецова', role: 0 }}
    accountLinks={[{ to: '#help', label: 'Справка', active: false }]}
    onLogout={onLogout}
    link={Link}
  >
    <p>Страница</p>
  </AppShell>
);

test('the sidebar and the bottom bar hold the same pages, with the current one named', async () => {
  const { container, unmount } = await render(shell(() => {}));
  const links = (name: string) =>
    [...container.querySelectorAll(`nav[aria-label="${name}"] a`)].map((link) => [
      link.textContent,
      link.getAttribute('aria-current'),
    ]);
  expect(links('Страницы раздела')).toEqual([
    ['База тестов', 'page'],
    ['Мои тесты', null],
  ]);
  expect(links('Главные страницы')).toEqual([
    ['База', 'page'],
    ['Мои тесты', null],
  ]);
  await unmount();
});

test('the menu of small screens names the person and the role, and signs out', async () => {
  const onLogout = vi.fn<() => void>();
  const { container, unmount } = await render(shell(onLogout));
  await click(container.querySelector('[aria-haspopup="dialog"]'));
  const dialog = container.querySelector('[role=dialog]');
  expect(dialog?.querySelector('h2')?.textContent).toBe('Анна Кузнецова');
  expect(dialog?.textContent).toContain('Студент');
  const buttons = [...(dialog?.querySelectorAll('button') ?? [])];
  await click(buttons.find((button) => button.textContent === 'Выйти'));
  expect(onLogout).toHaveBeenCalledOnce();
  expect(container.querySelector('[role=dialog]')).toBeNull();
  await unmount();
});

const account = (container: HTMLElement) => ({
  button: container.querySelector<HTMLButtonElement>('header [aria-expanded]'),
  menu: () => container.querySelector('[role="group"][aria-label="Учётная запись"]'),
});

test('the person in the header opens the menu of the account; Escape and a press beside it close it', async () => {
  const onLogout = vi.fn<() => void>();
  const { container, unmount } = await render(shell(onLogout));
  const { button, menu } = account(container);
  expect(button?.textContent).toBe('Анна Кузнецова Студент');
  expect(menu()).toBeNull();
  await click(button);
  expect(button?.getAttribute('aria-expanded')).toBe('true');
  expect(menu()?.textContent).toContain('Справка');
  await press(menu(), 'Escape');
  expect(menu()).toBeNull();
  expect(document.activeElement).toBe(button);
  await click(button);
  await act(async () => {
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  });
  expect(menu()).toBeNull();
  await click(button);
  await click([...(menu()?.querySelectorAll('button') ?? [])].at(-1));
  expect(onLogout).toHaveBeenCalledOnce();
  expect(menu()).toBeNull();
  await unmount();
});

test('light, dark or as the system has it is chosen in the menu of the account', async () => {
  const { container, unmount } = await render(shell(() => {}));
  const { button, menu } = account(container);
  await click(button);
  const choose = (label: string) =>
    click(
      [...(menu()?.querySelectorAll('label') ?? [])]
        .find(({ textContent }) => textContent === label)
        ?.querySelector('input'),
    );
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  expect(menu()?.querySelector('input:checked')?.parentElement?.textContent).toBe('Как в системе');
  await choose('Тёмное');
  expect(scheme()).toBe('dark');
  await choose('Светлое');
  expect(scheme()).toBe('light');
  await choose('Как в системе');
  await unmount();
});

test('links of a menu lead on once it has closed, those of the bottom bar once the page is at its top', async () => {
  const { container, unmount } = await render(shell(() => {}));
  const timings = (selector: string) => [
    ...new Set(
      [...container.querySelectorAll(`${selector} a`)].map((link) =>
        link.getAttribute('data-timing'),
      ),
    ),
  ];
  expect(timings('aside')).toEqual(['immediate']);
  expect(timings('nav[aria-label="Главные страницы"]')).toEqual(['afterScroll']);
  await click(container.querySelector('[aria-haspopup="dialog"]'));
  expect(timings('[role=dialog]')).toEqual(['afterClosing']);
  await unmount();
});

test('without a session there is a sign-in and no logout', async () => {
  const { container, unmount } = await render(
    <AppShell
      title="События"
      sections={[{ to: '#events', label: 'События', active: true }]}
      entries={[]}
      bottomEntries={[{ to: '#events', label: 'События', icon: IconBooks, active: true }]}
      user={null}
      accountLinks={[]}
      signInAt="#login"
      onLogout={() => {}}
      link={Link}
    >
      <p>Страница</p>
    </AppShell>,
  );
  await click(container.querySelector('[aria-haspopup="dialog"]'));
  await click(account(container).button);
  expect(container.textContent).not.toContain('Выйти');
  expect(container.querySelector('aside')).toBeNull();
  const signIns = [...container.querySelectorAll('a[href="#login"]')];
  expect(signIns.map(({ textContent }) => textContent)).toEqual(['Войти', 'Войти']);
  await unmount();
});

test('pages that do not fit into the bottom bar are in the menu, under their section', async () => {
  const page = (to: string) => ({ to, label: to, icon: IconBooks, active: false });
  const { container, unmount } = await render(
    <AppShell
      title="Пользователи"
      sections={[
        { to: '#tests', label: 'Тесты', active: false },
        { to: '#admin', label: 'Управление', active: true },
      ]}
      entries={[page('#users'), page('#news')]}
      bottomEntries={[page('#users')]}
      user={{ name: 'Анна Кузнецова', role: 1 }}
      accountLinks={[]}
      onLogout={() => {}}
      link={Link}
    >
      <p>Страница</p>
    </AppShell>,
  );
  await click(container.querySelector('[aria-haspopup="dialog"]'));
  const links = container.querySelectorAll('[role=dialog] nav[aria-label="Разделы"] a');
  expect([...links].map((link) => link.getAttribute('href'))).toEqual([
    '#tests',
    '#admin',
    '#news',
  ]);
  await unmount();
});

test('the first link of every page leads past its sections to the content', async () => {
  const { container, unmount } = await render(shell(() => {}));
  const first = container.querySelector<HTMLElement>('a[href], button');
  expect([first?.textContent, first?.getAttribute('href')]).toEqual(['К содержанию', '#main']);
  const main = container.querySelector('#main');
  expect(main?.textContent).toContain('Страница');
  expect(main?.querySelector('nav[aria-label="Страницы раздела"]')).toBeNull();
  expect(container.querySelectorAll('main')).toHaveLength(1);
  await unmount();
});
