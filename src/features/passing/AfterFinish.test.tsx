import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import type { AttemptView, QuestionView, Stage } from '#app/outbox/types.ts';
import type { BeginState } from '#app/storage/rows.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { AfterFinish } from './AfterFinish.tsx';
import type { FilePick } from '#app/questions/file/file-picks.ts';

const AT = Date.parse('2026-05-22T08:22:00Z');

const answer = (stage: Stage, index: number) =>
  ({
    questionId: `q${index}`,
    answered: true,
    answer: { kind: 'open', text: 'ответ' },
    stage,
    at: stage === 'server' ? AT : null,
  }) as unknown as QuestionView;

/** A view after «Завершить тест», with the outbox's counts. */
const viewOf = (state: AttemptView['state'], ...stages: Stage[]) => {
  const count = (...of: Stage[]) => stages.filter((stage) => of.includes(stage)).length;
  return {
    attemptId: 'a1',
    title: 'Законы Ньютона',
    state,
    readOnly: state,
    begin: null,
    finishedAt: state === 'finished' ? AT : null,
    countsUntil: AT + 900_000,
    answers: stages.map(answer),
    counts: {
      answered: stages.length,
      waiting: count('device', 'sending', 'unsaved'),
      setAside: count('setAside'),
      unsaved: count('unsaved'),
    },
    sync: { kind: 'delivered', count: 0 },
  } as unknown as AttemptView;
};

async function openAfter(
  view: AttemptView,
  { signedIn = true, now = AT, picks = [] as readonly FilePick[] } = {},
) {
  const flush = vi.fn<DeviceServices['outbox']['flush']>();
  const device = {
    outbox: { flush, begins: async () => ({ ask: async () => undefined }) },
    serverNow: () => now,
    timeZone: 'Europe/Moscow',
  } as unknown as DeviceServices;
  const session = createSessionStore(localStorage);
  const page = (shown: AttemptView) => (
    <SessionContext value={session}>
      <DeviceContext value={device}>
        <AfterFinish
          view={shown}
          picks={picks}
          signedIn={signedIn}
          renderResult={() => <p>Здесь результат</p>}
          onOpen={() => {}}
          onExport={async () => undefined}
          onLeave={() => {}}
        />
      </DeviceContext>
    </SessionContext>
  );
  const { container, show, unmount } = await render(page(view));
  const see = (next: AttemptView) => show(page(next));
  const button = (name: string) =>
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  return { container, flush, button, see, words: container.textContent, unmount };
}

async function shownAfter(view: AttemptView, signedIn = true, now = AT): Promise<string> {
  const { words, unmount } = await openAfter(view, { signedIn, now });
  await unmount();
  return words;
}

test('«Можно закрывать» once the server has the finish and every answer', async () => {
  const shown = await shownAfter(viewOf('finished', 'server', 'server'));
  expect(shown).toContain('Можно закрывать');
  expect(shown).toContain('Все 2 ответа на сервере');
  expect(shown).toContain('Здесь результат');
  expect(shown).not.toContain('Не закрывайте');
});

test('not before the finish has reached the server, though every answer has', async () => {
  const shown = await shownAfter(viewOf('finishing', 'server', 'server'));
  expect(shown).toContain('Не закрывайте: завершение ещё на устройстве');
  expect(shown).toContain('Завершение теста');
  expect(shown).toContain('2 ответа на сервере');
  expect(shown).not.toContain('Можно закрывать');
  expect(shown).not.toContain('Здесь результат');
});

test.each(['device', 'sending', 'unsaved'] as const)(
  'not after a finish by another device while an answer of this one waits (%s)',
  async (stage) => {
    const shown = await shownAfter(viewOf('finished', 'server', stage));
    expect(shown).toContain('Не закрывайте: 1 ответ ещё на устройстве');
    expect(shown).toContain('Вопрос 2 · ответ');
    expect(shown).toContain('Остальной 1 ответ на сервере');
    expect(shown).not.toContain('Можно закрывать');
    expect(shown).not.toContain('Завершение теста');
  },
);

test('waiting and delivered answers are counted separately', async () => {
  const shown = await shownAfter(viewOf('finishing', 'device', 'held', 'server', 'device'));
  expect(shown).toContain('Не закрывайте: 2 ответа ещё на устройстве');
  expect(shown).toContain('Вопрос 1 · ответ');
  expect(shown).toContain('Вопрос 4 · ответ');
  expect(shown).toContain('Остальные 2 ответа на сервере');
});

test('an answer that the server refused is not counted as being there', async () => {
  const shown = await shownAfter(viewOf('finished', 'server', 'setAside', 'held'));
  expect(shown).toContain('На сервере 2 ответа');
  expect(shown).toContain('Сервер не принял 1 ответ: он остаётся на этом устройстве');
  expect(shown).not.toContain('Все 3');
});

test.each(['finishing', 'finished'] as const)(
  'what is in memory alone is never called safe (%s)',
  async (state) => {
    const shown = await shownAfter(viewOf(state, 'unsaved', 'server'));
    expect(shown).toContain('Не закрывайте: 1 ответ ещё на устройстве');
    expect(shown).toContain('Не всё удалось записать на устройство');
    expect(shown).not.toMatch(/безопасност|останутся здесь|сохранены/);
  },
);

test.each([
  [AT - 1, 'Закроете раньше: ответы останутся здесь. Дойдут до 11:37: засчитаются.'],
  [AT + 900_000, 'Срок приёма прошёл в 11:37. Ответы сохранены и дойдут, когда появится сеть'],
  [AT + 86_400_000, 'Срок приёма прошёл 22 мая, 11:37. Ответы сохранены'],
])('the deadline for answers is shown by the server’s clock (%d)', async (now, words) => {
  const shown = await shownAfter(viewOf('finishing', 'device'), true, now);
  expect(shown).toContain(words);
  expect(shown).toContain('Баллы появятся, когда всё дойдёт до сервера.');
  expect(shown).not.toContain('Здесь результат');
});

const begunAs = (state: BeginState['state'], view: AttemptView): AttemptView => ({
  ...view,
  begin: { state, reason: state === 'held' ? 'beforeCode' : 'Тест закрыт' },
});

test.each([
  [
    'waiting',
    'Если начало примут, засчитаются ответы, которые дойдут до 11:37. Позже их увидит преподаватель',
  ],
  ['held', 'Дойдут, когда появится сеть: преподаватель увидит их и решит.'],
] as const)('nothing is promised to count while its begin is %s', async (state, words) => {
  const shown = await shownAfter(begunAs(state, viewOf('finishing', 'device')));
  expect(shown).toContain(`Закроете раньше: ответы останутся здесь. ${words}`);
  expect(shown).not.toMatch(/засчитаются\.|Баллы появятся/);
  const late = await shownAfter(begunAs(state, viewOf('finishing', 'device')), true, AT + 900_000);
  expect(late).not.toContain('засчитаются');
});

test('answers of a refused begin are promised nothing', async () => {
  const shown = await shownAfter(begunAs('refused', viewOf('finishing', 'device')));
  expect(shown).toContain('Тест завершён, но его начало не принято.');
  expect(shown).not.toMatch(/уйдут сами|засчитаются|[Дд]ойдут|Баллы появятся/);
});

test('an accepted begin counts like one on the server', async () => {
  const shown = await shownAfter(begunAs('accepted', viewOf('finishing', 'device')));
  expect(shown).toBe(await shownAfter(viewOf('finishing', 'device')));
});

test('signed-out users must sign in, not wait for a network', async () => {
  const view = viewOf('finishing', 'device');
  expect(await shownAfter(view)).toContain('уйдут сами, когда появится сеть.');
  const signedOut = await shownAfter(view, false);
  expect(signedOut).toContain('уйдут сами, когда вы войдёте.');
  expect(signedOut).toContain('Войти');
});

test('only what the server lacks is listed', async () => {
  const shown = await shownAfter(viewOf('finishing', 'server', 'held', 'none', 'setAside'));
  for (const number of [1, 2, 3]) expect(shown).not.toContain(`Вопрос ${number} ·`);
  expect(shown).toContain('Вопрос 4 · ответ');
});

test.each([
  ['device', 'на сервере'],
  ['server', 'Остальн'],
] as const)('beside «%s» alone nothing is called «%s»', async (stage, words) => {
  const { container } = await openAfter(viewOf('finishing', stage));
  expect(container.querySelector('ul')?.textContent).not.toContain(words);
});

test.each([
  ['device', true],
  ['setAside', true],
  ['server', false],
] as const)('what the server lacks (%s) can be saved to a file: %s', async (stage, isOffered) => {
  const shown = await shownAfter(viewOf('finishing', stage));
  expect(shown.includes('Сохранить ответы в файл')).toBe(isOffered);
});

test('a file that was not handed in is named under «Можно закрывать»', async () => {
  const pick = { pickId: 1, questionId: 'q0', name: 'скан.pdf', size: 1, problem: null };
  const view = viewOf('finished', 'server');
  const { words } = await openAfter(view, { picks: [{ ...pick, step: 'missed' }] });
  expect(words).toContain('Не сдан файл «скан.pdf» (вопрос 1).');
  expect((await openAfter(view)).container.querySelector('[role=status]')).toBeNull();
});

test('«Проверить сеть» sends at once what waits, and can be pressed again after a failure', async () => {
  const { flush, button } = await openAfter(viewOf('finishing', 'device'));
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  const isChecking = () => button('Проверить сеть')?.hasAttribute('data-loading');
  let fail: (cause: Error) => void = () => undefined;
  flush.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
  expect(isChecking()).toBe(false);
  await click(button('Проверить сеть'));
  expect(flush.mock.calls).toEqual([[{ force: true }]]);
  expect(isChecking()).toBe(true);
  await act(async () => fail(new Error('no network')));
  expect(isChecking()).toBe(false);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test('the camera’s board stays open when its confirmation leaves nothing to send', async () => {
  const { container, button, see } = await openAfter(viewOf('finishing', 'device'));
  const board = () => document.querySelector('[data-size=full]');
  await click(button('Передать ответы через камеру'));
  await waitForShown(() => expect(board()).not.toBeNull());
  await see(viewOf('finished', 'server'));
  expect(container.textContent).toContain('Можно закрывать');
  expect(board()).not.toBeNull();
});

test('the verdict gets the focus, so that it is read first', async () => {
  const { container } = await openAfter(viewOf('finished', 'server'));
  await vi.waitFor(() => expect(document.activeElement).toBe(container.querySelector('h1')));
});
