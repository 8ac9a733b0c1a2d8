import { afterEach, expect, test } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import type { DraftState } from './draft.ts';
import { DraftLine } from './DraftLine.tsx';

const at = new Date('2026-05-24T07:42:00Z');
const device = { serverNow: () => at.getTime() + 60_000, timeZone: 'Europe/Moscow' };

let rendered: Rendered;
afterEach(() => rendered.unmount());

const show = async (state: DraftState) => {
  rendered = await render(
    <DeviceContext value={device as unknown as DeviceServices}>
      <DraftLine draft={{ state }} />
    </DeviceContext>,
  );
};

test.each<[DraftState, string, string | null]>([
  [{ kind: 'server', at }, 'черновик на сервере, 10:42', 'server'],
  [{ kind: 'sending' }, 'отправляем черновик…', 'sending'],
  [{ kind: 'device', at, isOffline: false }, 'черновик на устройстве, 10:42', 'device'],
  [{ kind: 'device', at, isOffline: true }, 'нет сети, правки на устройстве', 'device'],
  [{ kind: 'memory' }, 'не удалось сохранить, не закрывайте страницу', null],
  [{ kind: 'refused', message: '' }, 'сервер не принял правки, они на устройстве', null],
  [{ kind: 'gone' }, 'тест недоступен, правки на устройстве', null],
])('%j is shown as «%s»', async (state, words, stage) => {
  await show(state);
  expect(rendered.container.textContent).toContain(words);
  expect(rendered.container.querySelector('[data-stage]')?.getAttribute('data-stage') ?? null).toBe(
    stage,
  );
});

test('only a failed save is red; waiting never is', async () => {
  for (const [state, place] of [
    [{ kind: 'memory' }, 'memory'],
    [{ kind: 'device', at, isOffline: true }, 'offline'],
  ] as const) {
    await show(state);
    expect(rendered.container.querySelector('[data-place]')?.getAttribute('data-place')).toBe(
      place,
    );
    if (place === 'memory') await rendered.unmount();
  }
});
