import { IconBooks } from '@tabler/icons-react';
import { expect, test, vi } from 'vitest';
import { AppShell } from './AppShell.tsx';
import type { ShellLinkProps } from './ShellLink.ts';
import { click, render } from './test-render.tsx';

const Link = ({ to, children, ...rest }: ShellLinkProps) => (
  <a href={to} {...rest}>
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
  const dialog = container.querySelector('dialog');
  expect(dialog?.querySelector('h2')?.textContent).toBe('Анна Кузнецова');
  expect(dialog?.textContent).toContain('Студент');
  const buttons = [...(dialog?.querySelectorAll('button') ?? [])];
  await click(buttons.find((button) => button.textContent === 'Выйти'));
  expect(onLogout).toHaveBeenCalledOnce();
  expect(dialog?.open).toBe(false);
  await unmount();
});
