import { expect, test } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { render } from '#app/ui/test-render.tsx';
import type { FilePick } from '#app/questions/file/file-picks.ts';
import { LeaveModal } from './LeaveModal.tsx';

const AT = Date.parse('2026-05-22T08:22:00Z');
const device = { serverNow: () => AT, timeZone: 'Europe/Moscow' } as DeviceServices;
const SAFE = 'Время идёт дальше, ответы сохранены.';

async function shownWith(unsaved: number, picks: readonly FilePick[] = []): Promise<string> {
  const view = { deadline: AT, counts: { unsaved }, answers: [{ questionId: 'q' }] };
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <LeaveModal
        view={view as unknown as AttemptView}
        picks={picks}
        opened
        onStay={() => undefined}
        onLeave={() => undefined}
      />
    </DeviceContext>,
  );
  const words = container.textContent.replaceAll('\u00A0', ' ');
  await unmount();
  return words;
}

test('answers are called saved where the device has each, and the time until which one may return', async () => {
  const shown = await shownWith(0);
  expect(shown).toContain(SAFE);
  expect(shown).toContain('Вернуться к вопросам можно до 11:22.');
});

test('answers in memory alone are counted, and not called saved', async () => {
  const shown = await shownWith(2);
  expect(shown).toContain('На устройство не удалось записать 2 ответа: дождитесь');
  expect(shown).not.toContain('сохранены');
});

test('nor while a file is still being read', async () => {
  const pick = { pickId: 1, questionId: 'q', name: 'a.jpg', size: 1, problem: null };
  const shown = await shownWith(0, [{ ...pick, step: 'reading' }]);
  expect(shown).toContain('Ещё читается файл «a.jpg» (вопрос 1). Не закрывайте приложение');
  expect(shown).not.toContain('сохранены');
  // A failed pick is no reason to wait.
  expect(await shownWith(0, [{ ...pick, step: 'failed', problem: 'нет' }])).toContain(SAFE);
});

test('where no file is being read none is spoken of', async () => {
  expect(await shownWith(0)).not.toContain('Не закрывайте приложение');
});
