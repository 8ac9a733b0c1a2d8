import { expect, test } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { StartScreen } from './StartScreen.tsx';

test('a device that is slow to open says that nothing was lost', async () => {
  const scheme = { get: () => 'light', set() {}, subscribe() {}, unsubscribe() {}, clear() {} };
  const { container, unmount } = await render(<StartScreen colourScheme={scheme as never} />);
  expect(container.textContent).toContain('сохранённое на нём не пропало.');
  await unmount();
});
