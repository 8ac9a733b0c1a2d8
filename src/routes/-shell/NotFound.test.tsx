import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { NotFound } from './NotFound.tsx';

const navigate = vi.hoisted(() => vi.fn<(to: object) => Promise<void>>());
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => navigate,
  Link: ({ to, children }: { to: string; children: string }) => <a href={to}>{children}</a>,
}));

let screen: Rendered;
beforeEach(() => {
  vi.useFakeTimers();
  navigate.mockReset().mockResolvedValue();
});
afterEach(async () => {
  vi.useRealTimers();
  await screen.unmount();
});

const seconds = async (count: number) => {
  for (let second = 0; second < count; second += 1)
    await act(async () => vi.advanceTimersByTime(1_000));
};

test('an unknown address leads to the home page after three seconds', async () => {
  screen = await render(<NotFound />);
  await seconds(2);
  expect(navigate).not.toHaveBeenCalled();
  await seconds(1);
  expect(navigate).toHaveBeenCalledWith({ to: '/', replace: true });
  expect(screen.container.textContent).toContain('через 1 секунду');
});

test('«Остаться» stops the seconds for good', async () => {
  screen = await render(<NotFound />);
  await seconds(1);
  const stay = screen.container.querySelector('button');
  expect(stay?.textContent).toBe('Остаться');
  await click(stay);
  await seconds(60);
  expect(navigate).not.toHaveBeenCalled();
  expect(screen.container.textContent).not.toContain('Откроем главную');
});
