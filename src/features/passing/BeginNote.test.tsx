import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { Begins } from '#app/outbox/begin.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { ERRORS } from '#contract/errors.ts';
import { BeginHold } from '#contract/offers.ts';
import { render } from '#app/ui/test-render.tsx';
import { holdMessage } from './begin-messages.ts';
import { BeginNote } from './BeginNote.tsx';
import { AT, openTaking } from './test-taking.tsx';

const ask = vi.fn<Begins['ask']>(async () => undefined);
const begins = async () => ({ ask });
const DEVICE = { outbox: { begins }, timeZone: 'Europe/Moscow' } as unknown as DeviceServices;

const DEADLINE = Date.parse('2026-05-22T07:40:00Z');

interface Given {
  readOnly?: AttemptView['readOnly'];
  /** Answers that the server has not. */
  waiting?: number;
}

async function wordsOf(
  begin: AttemptView['begin'],
  { readOnly = null, waiting = 0 }: Given = {},
): Promise<string> {
  const counts = { waiting, setAside: 0, unsaved: 0 };
  const view = { attemptId: 'a1', begin, deadline: DEADLINE, readOnly, counts } as AttemptView;
  const { container, unmount } = await render(
    <DeviceContext value={DEVICE}>
      <BeginNote view={view} />
    </DeviceContext>,
  );
  const words = container.textContent.replaceAll('\u00A0', ' ');
  await unmount();
  return words;
}

test('an attempt that began here says what will be checked, and nothing once it counts', async () => {
  expect(await wordsOf({ state: 'waiting', reason: null })).toBe(
    'Попытка начата на этом устройстве. Начало и время проверятся, когда появится сеть.',
  );
  expect(await wordsOf({ state: 'accepted', reason: null })).toBe('');
});

test.each(BeginHold.options)('the hold «%s» has plain words, and answers go on', async (hold) => {
  const words = await wordsOf({ state: 'held', reason: hold });
  expect(words).toMatch(
    /^Начало проверит преподаватель: [а-я ,]+\. Отвечайте дальше: ответы сохраняются\.$/,
  );
});

test.each(['timeOver', 'finishing', 'finished'] as const)(
  'once the inputs are closed (%s) a held begin invites to no answer',
  async (readOnly) => {
    expect(await wordsOf({ state: 'held', reason: 'beforeCode' }, { readOnly })).toBe(
      'Начало проверит преподаватель: тест начат раньше, чем был показан код. Он решит, засчитать ли ответы.',
    );
  },
);

test('a held begin whose attempt is gone leaves the words to the page: the teacher has decided', async () => {
  expect(await wordsOf({ state: 'held', reason: 'beforeCode' }, { readOnly: 'gone' })).toBe('');
});

test('the teacher’s decision is requested while a begin is held, and not otherwise', async () => {
  ask.mockClear();
  await wordsOf({ state: 'waiting', reason: null });
  await wordsOf({ state: 'accepted', reason: null });
  expect(ask).not.toHaveBeenCalled();
  await wordsOf({ state: 'held', reason: 'beforeCode' });
  expect(ask.mock.calls).toEqual([['a1']]);
});

test('a hold that this version does not know is shown without a reason', () => {
  expect(holdMessage('later')).toBe('Начало проверит преподаватель.');
});

test('a refused begin is shown with the server’s reason, and loses nothing', async () => {
  const { message } = ERRORS.TEST_CLOSED;
  expect(await wordsOf({ state: 'refused', reason: message }, { waiting: 1 })).toBe(
    'Начало не принято. Тест закрыт. Ответы остаются на этом устройстве. Покажите это преподавателю.',
  );
});

test('a refused begin claims no answers on a device that has sent all of them', async () => {
  expect(await wordsOf({ state: 'refused', reason: 'Тест закрыт.' })).toBe(
    'Начало не принято. Тест закрыт. Покажите это преподавателю.',
  );
  expect(await wordsOf({ state: 'refused', reason: null })).toBe(
    'Начало не принято. Покажите это преподавателю.',
  );
});

const SHORTER =
  'Сервер проверил время начала: времени оказалось меньше, чем показывало устройство.';

test.each<[string, AttemptView['begin'], AttemptView['readOnly'], string]>([
  [
    'more than a minute earlier',
    { state: 'accepted', reason: null, estimate: DEADLINE + 60_001 },
    null,
    `${SHORTER} Тест закончится в 10:40`,
  ],
  [
    'so much that it is over',
    { state: 'accepted', reason: null, estimate: DEADLINE + 90_000 },
    'timeOver',
    SHORTER,
  ],
  ['a minute earlier', { state: 'accepted', reason: null, estimate: DEADLINE + 60_000 }, null, ''],
  ['later', { state: 'accepted', reason: null, estimate: DEADLINE - 600_000 }, null, ''],
  [
    'an attempt that is gone',
    { state: 'held', reason: null, estimate: DEADLINE + 90_000 },
    'gone',
    '',
  ],
])('an end that the server set %s is shown', async (_what, begin, readOnly, words) => {
  const shown = await wordsOf(begin, { readOnly });
  expect(shown.slice(0, words.length)).toBe(words);
  expect(shown === '').toBe(words === '');
});

test('an earlier end is shown beside a hold, where screen readers speak what comes', async () => {
  const page = await openTaking({ begin: { state: 'waiting', reason: null } });
  await page.until(() => expect(page.whole()).toContain('Попытка начата на этом устройстве.'));
  const status = document.querySelector('[role="status"]:has(.mantine-Text-root)');
  await page.see({ begin: { state: 'held', reason: 'beforeCode', estimate: AT + 1_890_000 } });
  expect(status?.textContent).toContain('тест начат раньше, чем был показан код');
  expect(status?.textContent).toContain('времени оказалось меньше');
});

test('the note stands above the question', async () => {
  const page = await openTaking({ begin: { state: 'waiting', reason: null } });
  await page.until(() => expect(page.whole()).toContain('Попытка начата на этом устройстве.'));
  await page.see({ begin: { state: 'held', reason: 'beforeCode' } });
  expect(page.whole()).toContain('тест начат раньше, чем был показан код');
});
