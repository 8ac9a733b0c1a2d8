import { expect, test } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { AttemptStatePill } from './AttemptStatePill.tsx';

test.each([
  [{ state: 'idle' }, 'Не начата'],
  [{ state: 'run' }, 'Идёт'],
  [{ state: 'run', leftMs: 125_000, at: '11:07' }, 'Идёт, 2 мин'],
  // The device's clock may show no time left before the server reports the end.
  [{ state: 'run', leftMs: 0 }, 'Идёт'],
  [{ state: 'timeOver' }, 'Время вышло'],
  [{ state: 'timeOver', at: '11:07', leftMs: 5_000 }, 'Время вышло в 11:07'],
  [{ state: 'queued' }, 'Не закрывайте'],
  [{ state: 'over' }, 'Завершена'],
  [{ state: 'review' }, 'Ждёт решения преподавателя'],
] as const)('%j is «%s»', async (props, words) => {
  const { container, unmount } = await render(<AttemptStatePill {...props} />);
  expect(container.textContent.replaceAll('\u00A0', ' ')).toBe(words);
  await unmount();
});
