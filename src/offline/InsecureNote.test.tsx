// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { InsecureNote } from './InsecureNote.tsx';

vi.stubGlobal('matchMedia', () => ({
  matches: false,
  addEventListener: () => {},
  removeEventListener: () => {},
}));

afterEach(() => {
  vi.stubGlobal('isSecureContext', undefined);
});

test('without a secure context the app explains that offline mode is off and what is stored', async () => {
  vi.stubGlobal('isSecureContext', false);
  const { container, unmount } = await render(<InsecureNote />);
  expect(container.textContent).toContain('без сети приложение не откроется');
  expect(container.textContent).toContain('Ответы всё равно сохраняются на устройстве');
  expect(container.textContent).toContain('неотправленные лежат на нём незашифрованными');
  await unmount();
});

test('in a secure context nothing is shown', async () => {
  vi.stubGlobal('isSecureContext', true);
  const { container, unmount } = await render(<InsecureNote />);
  expect(container.textContent).not.toContain('не защищено');
  await unmount();
});
