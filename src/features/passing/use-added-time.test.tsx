import { expect, test } from 'vitest';
import type { AttemptView } from '#app/outbox/types.ts';
import { render } from '#app/ui/test-render.tsx';
import { useAddedTime } from './use-added-time.ts';

const AT = Date.parse('2026-05-22T08:22:00Z');

function Added({ deadline, now }: { deadline: number; now: number }) {
  return <p>{useAddedTime({ deadline, now } as AttemptView)}</p>;
}

test('added minutes are named with the time left; a deadline that stays says nothing', async () => {
  const { container, show, unmount } = await render(<Added deadline={AT + 460_000} now={AT} />);
  await show(<Added deadline={AT + 460_000} now={AT + 1_000} />);
  expect(container.textContent).toBe('');
  await show(<Added deadline={AT + 760_000} now={AT} />);
  expect(container.textContent).toBe('Преподаватель добавил 5 минут, осталось 12:40');
  await unmount();
});
