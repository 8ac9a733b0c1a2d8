import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { OutboxRefusal, type AttemptView, type OutboxEvent } from '#app/outbox/types.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { TakingNote } from './TakingNote.tsx';
import type { TimeNotice } from './use-time-notice.ts';
import { useAnswering } from './use-answering.ts';

const AT = Date.parse('2026-05-22T08:22:00Z');
const NOTICE: TimeNotice = { announcement: '', shown: null };
const NO_COUNTS = { waiting: 0, setAside: 0, unsaved: 0 };
const CHOICE: Answer = { questionId: 'q', kind: 'variant', optionIds: ['b'] };

let drawn: Rendered | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await drawn?.unmount();
  drawn = undefined;
});

const nothing = () => undefined;

/** The taking page’s note above a choice and a text field, which are closed according to the view. */
function Page({ view, notice }: { view: AttemptView; notice: TimeNotice }) {
  const answering = useAnswering(view);
  const isLocked = view.readOnly !== null;
  return (
    <>
      <TakingNote
        view={view}
        problem={answering.problem}
        picks={[]}
        notice={notice}
        onSignIn={nothing}
        onExport={async () => undefined}
      />
      <button disabled={isLocked} onClick={() => answering.choose(CHOICE)}>
        Ньютон
      </button>
      <textarea
        readOnly={isLocked}
        onInput={() => answering.type({ questionId: 'text', kind: 'open', text: 'рука' })}
      />
    </>
  );
}

async function openPage(view: Partial<AttemptView> = {}, notice = NOTICE) {
  vi.useFakeTimers();
  const answer = vi.fn<DeviceServices['outbox']['answer']>();
  const listeners = new Set<(event: OutboxEvent) => void>();
  const subscribe = (listener: (event: OutboxEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const outbox = { answer, noteTyped: nothing, attempt: nothing, subscribe };
  const zone = { timeZone: 'Europe/Moscow', serverNow: () => AT };
  const device = { outbox, ...zone } as unknown as DeviceServices;
  const page = (changes: Partial<AttemptView>) => {
    const times = { now: AT, deadline: AT + 460_000, countsUntil: AT + 900_000 };
    const rest = {
      stream: 's',
      head: 1,
      answers: [],
      counts: NO_COUNTS,
      begin: null,
      sync: { kind: 'delivered' },
    };
    const whole = { attemptId: 'a', readOnly: null, ...times, ...rest, ...changes };
    return (
      <DeviceContext value={device}>
        <Page view={whole as unknown as AttemptView} notice={notice} />
      </DeviceContext>
    );
  };
  const here = await render(page(view));
  drawn = here;
  const find = (selector: string) => {
    const found = here.container.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`nothing is ${selector}`);
    return found;
  };
  return {
    answer,
    alert: find('[role=alert]'),
    status: find('[role=status]'),
    choice: find('button'),
    field: find('textarea'),
    whole: here.container,
    clear: () =>
      act(async () =>
        listeners.forEach((listener) => listener({ kind: 'cleared', attemptId: 'a' })),
      ),
    press: (words: string) =>
      click(
        [...here.container.querySelectorAll('button')].find((one) => one.textContent === words),
      ),
    see: (changes: Partial<AttemptView>) => here.show(page(changes)),
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
  };
}

const UNWRITTEN = 'Не удалось записать ответ. Не уходите с вопроса и повторите.';

test('a choice that could not be written is reported at once in a focused note', async () => {
  const { answer, alert, status, choice, pass } = await openPage();
  answer.mockRejectedValue(new Error('no device'));
  choice.focus();
  await click(choice);
  await pass(20);
  expect(alert.textContent).toBe(UNWRITTEN);
  expect(status.textContent).toBe('');
  expect(document.activeElement).toBe(alert);
});

test('a repeated failure focuses the note again; a written answer clears it', async () => {
  const { answer, alert, choice, pass } = await openPage();
  answer.mockRejectedValue(new Error('no device'));
  await click(choice);
  await pass(20);
  choice.focus();
  await click(choice);
  await pass(20);
  expect(document.activeElement).toBe(alert);
  answer.mockResolvedValue({ operationId: 'o', stream: 's', sequence: 2, saved: true });
  await click(choice);
  await pass(20);
  expect(alert.textContent).toBe('');
});

/** Types one more character into the field, like a key. */
const typeInto = (field: HTMLElement) =>
  act(async () => void field.dispatchEvent(new InputEvent('input', { bubbles: true })));

test('unwritten typed text is reported at once; the note gets the focus when typing pauses', async () => {
  const { answer, alert, field, pass } = await openPage();
  answer.mockRejectedValue(new Error('no device'));
  field.focus();
  for (let key = 0; key < 8; key += 1) {
    await typeInto(field);
    await pass(300);
  }
  expect(alert.textContent).toBe(UNWRITTEN);
  expect(document.activeElement, 'nobody is torn out of the text').toBe(field);
  await pass(1_100);
  expect(document.activeElement).toBe(alert);
});

test('a continuing failure during typing is reported and focused only once', async () => {
  const { answer, alert, field, pass } = await openPage();
  answer.mockRejectedValue(new Error('no device'));
  field.focus();
  await typeInto(field);
  await pass(600);
  await pass(1_100);
  expect(document.activeElement).toBe(alert);
  const note = alert.firstChild;
  field.focus();
  await typeInto(field);
  await pass(600);
  await pass(1_100);
  expect(alert.firstChild, 'the same words stand there').toBe(note);
  expect(document.activeElement).toBe(field);
});

test('what is typed at the note goes into the field, and no shortcut acts on it', async () => {
  const { answer, alert, field, pass } = await openPage();
  const shortcut = vi.fn<() => void>();
  document.addEventListener('keydown', shortcut);
  answer.mockRejectedValue(new Error('no device'));
  field.focus();
  await typeInto(field);
  await pass(600);
  await pass(1_100);
  const press = (key: string, more: KeyboardEventInit = {}) =>
    act(async () => {
      const init = { key, bubbles: true, cancelable: true, ...more };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
    });
  await press('Tab');
  await press('c', { ctrlKey: true });
  expect(document.activeElement).toBe(alert);
  shortcut.mockClear();
  await press('м');
  expect(document.activeElement).toBe(field);
  expect(shortcut).not.toHaveBeenCalled();
  document.removeEventListener('keydown', shortcut);
});

test('text that is finally written removes the note and returns the focus to its field', async () => {
  const { answer, alert, field, pass } = await openPage();
  answer.mockRejectedValueOnce(new Error('no device'));
  answer.mockResolvedValue({ operationId: 'o', stream: 's', sequence: 2, saved: true });
  field.focus();
  await typeInto(field);
  await pass(600);
  await pass(1_100);
  expect(document.activeElement).toBe(alert);
  await act(async () => void window.dispatchEvent(new Event('blur')));
  await pass(20);
  expect(alert.textContent).toBe('');
  expect(document.activeElement).toBe(field);
});

test('typing elsewhere removes the note about a choice', async () => {
  const { answer, alert, choice, field, pass } = await openPage();
  answer.mockRejectedValueOnce(new Error('no device'));
  await click(choice);
  await pass(20);
  expect(alert.textContent).toBe(UNWRITTEN);
  field.focus();
  await typeInto(field);
  expect(alert.textContent).toBe('');
});

test('a refusal says why', async () => {
  const { answer, alert, choice, pass } = await openPage();
  answer.mockRejectedValue(new OutboxRefusal('takenOver'));
  await click(choice);
  await pass(20);
  expect(alert.textContent).toBe('Тест продолжается на другом устройстве: отвечайте там.');
});

const CLOSED = [
  ['timeOver', 'Время вышло'],
  ['takenOver', 'Тест продолжается на другом устройстве'],
  ['secondTab', 'Тест открыт в другой вкладке'],
  ['gone', 'Преподаватель удалил эту попытку'],
] as const;

test.each(CLOSED)(
  'closed inputs (%s) are reported at once in a note focused even from a field',
  async (readOnly, words) => {
    const { alert, field, see, pass } = await openPage();
    field.focus();
    await see({ readOnly });
    await pass(20);
    expect(alert.textContent).toContain(words);
    expect(document.activeElement).toBe(alert);
  },
);

test.each(CLOSED)('a reload of a page with closed inputs (%s) moves no focus', async (readOnly) => {
  const { alert, choice, pass } = await openPage({ readOnly });
  await pass(20);
  expect(document.activeElement).not.toBe(alert);
  expect(choice).toHaveProperty('disabled', true);
});

test('minutes added after the end are shown at once with the focus', async () => {
  const { alert, see, pass } = await openPage({ deadline: AT - 1_000 });
  await see({ readOnly: 'timeOver', deadline: AT - 1_000 });
  await pass(20);
  await see({ deadline: AT + 299_000 });
  expect(alert.textContent).toBe('Преподаватель добавил 5 минут, осталось 4:59');
  expect(document.activeElement).toBe(alert);
});

test('a second tab that may write again leaves the focus where the note was', async () => {
  const { alert, choice, see, pass } = await openPage();
  choice.focus();
  await see({ readOnly: 'secondTab' });
  await pass(20);
  await see({});
  expect(alert.textContent).toBe('');
  expect(document.activeElement).toBe(alert);
});

/** The shown words, with plain spaces. */
const plain = (element: HTMLElement) => element.textContent.replaceAll('\u00A0', ' ');
const waiting = { answered: 2, waiting: 2, setAside: 0, unsaved: 0 };

test.each([
  [
    'takenOver',
    'Тест продолжается на другом устройстве: здесь он открыт только для чтения. 2 ответа ещё только на этом устройстве: они уйдут сами',
  ],
  ['secondTab', 'Тест открыт в другой вкладке: отвечайте там.'],
  [
    'gone',
    'Преподаватель удалил эту попытку. Ответы сохранены на этом устройстве: если её вернут, они уйдут.',
  ],
  ['timeOver', 'Время вышло в 11:29. Ответы закрыты для правки. 2 ответа ещё на этом устройстве'],
] as const)('inputs closed as «%s» say why, and where the answers are', async (readOnly, words) => {
  const { alert } = await openPage({ readOnly, counts: waiting as AttemptView['counts'] });
  expect(plain(alert)).toContain(words);
  // A student who may continue elsewhere has nothing to save here.
  expect(plain(alert).includes('Сохранить')).toBe(readOnly !== 'secondTab');
});

const SENTENCES = [
  ['offline', 'Нет сети. Отвечайте дальше: ответы хранятся на этом устройстве и уйдут сами.'],
  [
    'silent',
    'Сервер не отвечает. Отвечайте дальше: ответы хранятся на этом устройстве и уйдут сами.',
  ],
  [
    'signedOut',
    'Вход закончился. Отвечайте дальше: ответы хранятся на устройстве и уйдут, когда вы войдёте.',
  ],
  [
    'unstorable',
    'Устройство не сохраняет ответы: их хранит только сервер. Не закрывайте страницу, пока нет сети.',
  ],
] as const;

test.each(SENTENCES)('%s: «%s», and none of the others', async (kind, words) => {
  const { status } = await openPage({ sync: { kind, count: 2 } });
  expect(plain(status)).toContain(words);
  for (const [other, others] of SENTENCES)
    if (other !== kind) expect(plain(status)).not.toContain(others);
});

test('the note of a lost network stays while answers are sent, and goes when all have arrived', async () => {
  const { status, see } = await openPage({ sync: { kind: 'offline', count: 2 } });
  await see({ sync: { kind: 'sending', count: 1 } });
  expect(plain(status)).toContain('Нет сети.');
  await see({ sync: { kind: 'silent', count: 1 } });
  expect(plain(status)).toContain('Сервер не отвечает.');
  await see({ sync: { kind: 'delivered', count: 0 } });
  expect(plain(status)).toBe('');
});

test('a browser that cleared its memory is reported until the student has read it', async () => {
  const { status, clear, press } = await openPage();
  await clear();
  expect(plain(status)).toContain(
    'Браузер очистил память этого сайта. Ответы, которые были видны здесь, записаны заново, а отправленные хранит сервер: отвечайте дальше.',
  );
  await press('Понятно');
  expect(plain(status)).toBe('');
});

test('in the last minute it says which answers count', async () => {
  const { whole, see } = await openPage({}, { announcement: 'Осталась 1 минута', shown: 1 });
  await see({});
  expect(plain(whole)).toContain(
    'Последняя минута. В 11:29 тест завершится сам. Ответы, данные раньше, засчитаем, даже если сеть вернётся позже.',
  );
});

test('in the last minute it promises nothing while the teacher decides on the begin', async () => {
  const { whole, see } = await openPage({}, { announcement: 'Осталась 1 минута', shown: 1 });
  await see({ begin: { state: 'held', reason: 'beforeCode' } });
  expect(plain(whole)).toContain('Последняя минута. В 11:29 тест завершится сам.');
  expect(plain(whole)).not.toContain('засчитаем');
});

test.each(['unstorable', 'signedOut'] as const)(
  'a warning of the time does not hide what is to be done (%s)',
  async (kind) => {
    const notice = { announcement: 'Осталось 5 минут', shown: 5 } as const;
    const { status, whole } = await openPage({ sync: { kind, count: 1 } }, notice);
    expect(plain(status)).not.toBe('');
    expect(plain(whole)).not.toContain('Осталось 5 минут');
  },
);

test('the time left is not spoken a second time by its note', async () => {
  const notice = { announcement: 'Осталось 5 минут', shown: 5 } as const;
  const { alert, status, whole } = await openPage({}, notice);
  expect(plain(whole)).toContain('Осталось 5 минут. В 11:29 тест завершится сам.');
  expect(plain(whole)).not.toContain('Последняя минута');
  expect(plain(alert) + plain(status)).toBe('');
});

test('closed inputs replace a time warning', async () => {
  const notice = { announcement: 'Осталось 5 минут', shown: 5 } as const;
  const { alert, whole } = await openPage({ readOnly: 'takenOver' }, notice);
  expect(plain(alert)).toContain('Тест продолжается на другом устройстве');
  expect(plain(whole)).not.toContain('Осталось 5 минут');
  expect(plain(whole).split('Тест продолжается')).toHaveLength(2);
});
