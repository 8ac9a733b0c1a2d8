// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { InsecureNote } from './InsecureNote.tsx';

vi.stubGlobal('matchMedia', () => ({
  matches: false,
  addEventListener: () => {},
  removeEventListener: () => {},
}));

test('without a secure context the app explains that offline mode is off and what is stored', async () => {
  const { container, unmount } = await render(<InsecureNote />);
  expect(container.textContent).toContain('без сети приложение не откроется');
  expect(container.textContent).toContain('Ответы всё равно сохраняются на устройстве');
  expect(container.textContent).toContain('неотправленные лежат на нём незашифрованными');
  await unmount();
});
