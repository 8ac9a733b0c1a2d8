import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import type { AttemptView, QuestionView, Stage, SyncView } from '#app/outbox/types.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { AnswersModal } from './AnswersModal.tsx';

const AT = Date.parse('2026-05-22T08:22:00Z');
const device = { serverNow: () => AT, timeZone: 'Europe/Moscow' } as DeviceServices;

const viewOf = (kind: SyncView['kind'], ...stages: Stage[]) => {
  const count = (...of: Stage[]) => stages.filter((stage) => of.includes(stage)).length;
  return {
    attemptId: 'a1',
    answers: stages.map(
      (stage, index) =>
        ({ questionId: `q${index}`, stage, at: null, refusal: null }) as unknown as QuestionView,
    ),
    counts: {
      waiting: count('device', 'sending', 'unsaved'),
      setAside: count('setAside'),
      unsaved: count('unsaved'),
    },
    sync: { kind, count: 0 },
  } as unknown as AttemptView;
};

/** The three figures, from the device to the server, and the whole text of the dialog. */
async function shownFor(view: AttemptView) {
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <AnswersModal view={view} opened onExport={async () => undefined} onClose={() => {}} />
    </DeviceContext>,
  );
  const figures = [...container.querySelectorAll('dd')].map((one) => Number(one.textContent));
  const words = container.textContent;
  await unmount();
  return { figures, words };
}

test('each answer is counted by location: on the device, in transit, on the server', async () => {
  const view = viewOf('sending', 'device', 'unsaved', 'sending', 'server', 'held', 'none');
  expect((await shownFor(view)).figures).toEqual([2, 1, 2]);
});

test('an answer that the server refused is on the device, never «на сервере»', async () => {
  const { figures, words } = await shownFor(viewOf('setAside', 'setAside', 'server'));
  expect(figures).toEqual([1, 0, 1]);
  expect(words).toContain('Не принятые ответы остаются на устройстве.');
  expect(words).not.toContain('Все ответы на сервере.');
});

test.each([
  ['delivered', ['server', 'held'], 'Все ответы на сервере.'],
  ['delivered', ['none'], 'Ответов пока нет.'],
  ['signedOut', ['device'], 'Ответы ждут на устройстве, пока вы не войдёте.'],
  ['sending', ['sending'], 'Сеть вернулась. Ничего нажимать не нужно.'],
  ['offline', ['device'], 'Ответы на этом устройстве в безопасности и уйдут сами'],
  ['silent', ['device', 'server'], 'Ответы на этом устройстве в безопасности и уйдут сами'],
  ['unstorable', ['unsaved'], 'Не всё удалось записать на устройство: не закрывайте страницу'],
  ['offline', ['none', 'device'], 'Ответы на этом устройстве в безопасности и уйдут сами'],
  ['offline', ['device', 'setAside'], 'Ответы на этом устройстве в безопасности и уйдут сами'],
  ['setAside', ['setAside', 'device'], 'Не принятые ответы остаются на устройстве.'],
  ['offline', ['unsaved', 'device'], 'Не всё удалось записать на устройство'],
  ['sending', ['unsaved'], 'Не всё удалось записать на устройство'],
  // The header shows something else first: a refused answer is still on the device.
  ['unstorable', ['setAside', 'server'], 'Не принятые ответы остаются на устройстве.'],
] as const)('%s with %j: «%s»', async (kind, stages, sentence) => {
  const { words } = await shownFor(viewOf(kind, ...stages));
  expect(words).toContain(sentence);
  if (!sentence.startsWith('Ответы на этом')) expect(words).not.toContain('в безопасности');
  if (!sentence.startsWith('Все')) expect(words).not.toContain('Все ответы на сервере.');
});

test('what the server lacks may be sent again and saved to a file; otherwise nothing is offered', async () => {
  for (const stage of ['device', 'unsaved', 'setAside'] as const)
    expect((await shownFor(viewOf('offline', stage))).words).toContain('Проверить сеть');
  expect((await shownFor(viewOf('delivered', 'server'))).words).not.toContain('Проверить сеть');
});

/** Opens the dialog over these answers, named by their position. */
async function openList(answers: Partial<QuestionView>[]) {
  const view = viewOf('offline', ...answers.map(({ stage }) => stage ?? 'none'));
  const retrySetAside = vi.fn<DeviceServices['outbox']['retrySetAside']>(async () => undefined);
  const flush = vi.fn<DeviceServices['outbox']['flush']>();
  const outbox = { retrySetAside, flush };
  const { container } = await render(
    <DeviceContext value={{ ...device, outbox } as unknown as DeviceServices}>
      <AnswersModal
        view={{
          ...view,
          answers: view.answers.map((one, index) => ({ ...one, ...answers[index] })),
        }}
        opened
        onExport={async () => undefined}
        onClose={() => {}}
      />
    </DeviceContext>,
  );
  const button = (name: string) =>
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  const rows = () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  const numbers = () => rows().map((row) => Number.parseInt(row, 10));
  return { retrySetAside, flush, button, rows, numbers };
}

test('answers at risk are listed first, then those in transit, then the newest on the server', async () => {
  const { numbers, button } = await openList([
    { stage: 'server', at: AT },
    { stage: 'server', at: AT + 1 },
    { stage: 'none' },
    { stage: 'held' },
    { stage: 'device' },
    { stage: 'sending' },
    { stage: 'device' },
    { stage: 'setAside' },
    { stage: 'unsaved' },
  ]);
  expect(numbers()).toEqual([9, 8, 6, 5, 7]);
  await click(button('Показать ещё 3'));
  expect(numbers()).toEqual([9, 8, 6, 5, 7, 4, 2, 1]);
  expect(button('Показать ещё 0')).toBeUndefined();
});

test('a short list is shown whole', async () => {
  const { rows, button } = await openList([{ stage: 'device' }]);
  expect(rows()).toHaveLength(1);
  expect(button('Показать ещё 0')).toBeUndefined();
});

test('each answer says when it was stored, and a refused one why', async () => {
  const { rows } = await openList([
    { stage: 'setAside', at: AT, refusal: { code: 'late', message: 'Тест уже закрыт.' } },
    { stage: 'server', at: AT },
    { stage: 'device', at: null },
  ]);
  expect(rows()[0]).toContain('Тест уже закрыт.');
  expect(rows()[1]).not.toContain('11:22');
  expect(rows()[2]).toContain('11:22');
});

test('«Проверить сеть» tries refused answers once more, and then sends at once', async () => {
  const { retrySetAside, flush, button } = await openList([{ stage: 'setAside' }]);
  await click(button('Проверить сеть'));
  expect(retrySetAside.mock.calls).toEqual([['a1']]);
  expect(flush.mock.calls).toEqual([[{ force: true }]]);
});

test('a device that does not respond to «Проверить сеть» is logged', async () => {
  const { retrySetAside, flush, button } = await openList([{ stage: 'setAside' }]);
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  retrySetAside.mockRejectedValue(new Error('no device'));
  await click(button('Проверить сеть'));
  expect(flush).not.toHaveBeenCalled();
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test('the camera’s board stays open when its confirmation leaves no unsent answer', async () => {
  const session = createSessionStore(localStorage);
  const modal = (view: AttemptView) => (
    <SessionContext value={session}>
      <DeviceContext value={device}>
        <AnswersModal view={view} opened onExport={async () => undefined} onClose={() => {}} />
      </DeviceContext>
    </SessionContext>
  );
  const board = () => document.querySelector('[data-size=full]');
  const { container, show } = await render(modal(viewOf('offline', 'device')));
  await click(
    [...container.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Передать ответы через камеру',
    ),
  );
  await waitForShown(() => expect(board()).not.toBeNull());
  await show(modal(viewOf('delivered', 'server')));
  expect(document.body.textContent).toContain('Все ответы на сервере.');
  expect(board()).not.toBeNull();
});
