import { expect, test } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { DeviceContext, type DeviceServices } from './device-services.ts';
import { SavedAt } from './SavedAt.tsx';

const NOW = Date.parse('2026-05-22T07:05:00Z');

test.each([
  ['2026-05-22T06:42:00Z', 'Нет связи с сервером. Обновлено в 09:42'],
  ['2026-05-21T16:42:00Z', 'Нет связи с сервером. Обновлено 21 мая, 19:42'],
])('a copy of %s reads «%s»', async (savedAt, words) => {
  const device = { serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices;
  const { container } = await render(
    <DeviceContext value={device}>
      <SavedAt savedAt={savedAt} />
    </DeviceContext>,
  );
  expect(container.textContent).toBe(words);
});
