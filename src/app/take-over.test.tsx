import { act, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { takeOver } from './take-over.ts';

/** A page as the worker paints it, and the app's with the same fields. */
const PAINTED = `
  <h1>Вопрос 1</h1>
  <input type="text" aria-label="Ответ" value="4,9">
  <textarea aria-label="Решение">было</textarea>
  <input type="radio" name="painted-r" aria-label="Паскаль" checked>
  <input type="radio" name="painted-r" aria-label="Ньютон">
  <input type="checkbox" aria-label="Сила" checked>
  <select aria-label="Слово"><option>а</option><option>б</option></select>
  <button>Отметить</button><button>Далее</button>`;

const pressed: string[] = [];
/** What the text field held each time it was left. */
const left: string[] = [];

interface OwnProps {
  waits?: boolean;
  locked?: boolean;
  number?: number;
  stored?: string;
}

function Own({ waits = false, locked = false, number = 1, stored = '4,9' }: OwnProps) {
  const [text, setText] = useState(stored);
  const [essay, setEssay] = useState('было');
  const [unit, setUnit] = useState('Паскаль');
  const [isForce, setForce] = useState(true);
  const [word, setWord] = useState('а');
  return (
    <>
      <h1 tabIndex={-1}>{`Вопрос ${number}`}</h1>
      {waits && <p data-waiting>Открываем</p>}
      <input
        type="text"
        aria-label="Ответ"
        readOnly={locked}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => left.push(text)}
      />
      <textarea
        aria-label="Решение"
        value={essay}
        onChange={(event) => setEssay(event.currentTarget.value)}
      />
      {['Паскаль', 'Ньютон'].map((one) => (
        <input
          key={one}
          type="radio"
          name="r"
          aria-label={one}
          disabled={locked}
          checked={unit === one}
          onChange={() => setUnit(one)}
        />
      ))}
      <input
        type="checkbox"
        aria-label="Сила"
        checked={isForce}
        onChange={(event) => setForce(event.currentTarget.checked)}
      />
      <select
        aria-label="Слово"
        value={word}
        onChange={(event) => setWord(event.currentTarget.value)}
      >
        <option>а</option>
        <option>б</option>
      </select>
      {unit === 'Ньютон' && <button type="button">Сбросить</button>}
      {['Отметить', 'Далее'].map((name) => (
        <button key={name} type="button" onClick={() => pressed.push(name)}>
          {name}
        </button>
      ))}
      <output>{[text, essay, unit, isForce ? 'да' : 'нет', word].join(' ')}</output>
    </>
  );
}

let painted: HTMLElement;
beforeEach(() => {
  pressed.length = 0;
  left.length = 0;
  painted = document.createElement('div');
  painted.id = 'painted';
  painted.innerHTML = PAINTED;
  document.body.append(painted);
});
afterEach(() => {
  painted.remove();
  vi.useRealTimers();
});

const field = (label: string) =>
  painted.querySelector<HTMLInputElement>(`[aria-label="${label}"]`) ?? new HTMLInputElement();

async function open(of: OwnProps = {}) {
  const own = await render(<Own {...of} />);
  own.container.hidden = true;
  await act(async () => takeOver(painted, own.container));
  return own;
}

const enteredIn = ({ container }: { container: HTMLElement }) =>
  container.querySelector('output')?.textContent;

test('an untouched page is replaced, and the heading has the focus', async () => {
  const { container } = await open();
  expect(painted.isConnected).toBe(false);
  expect(container.hidden).toBe(false);
  expect(enteredIn({ container })).toBe('4,9 было Паскаль да а');
  expect(document.activeElement).toBe(container.querySelector('h1'));
});

test('what was entered in each kind of field reaches the app', async () => {
  field('Ответ').value = '4,91';
  field('Решение').value = 'стало';
  field('Ньютон').checked = true;
  field('Сила').checked = false;
  field('Слово').value = 'б';
  expect(enteredIn(await open())).toBe('4,91 стало Ньютон нет б');
});

test('an untouched field leaves the app’s value unchanged', async () => {
  const own = await render(<Own />);
  const text = own.container.querySelector('textarea');
  field('Решение').defaultValue = 'старое';
  await act(async () => takeOver(painted, own.container));
  expect(text?.value).toBe('было');
});

test('text that was stored from the painted page is entered once', async () => {
  field('Ответ').value = '4,91 м/с';
  const { container } = await open({ stored: '4,91 м' });
  expect(container.querySelector('input')?.value).toBe('4,91 м/с');
});

test('the focus and the caret stay where the student types', async () => {
  field('Ответ').focus();
  field('Ответ').value = '4,91';
  field('Ответ').setSelectionRange(2, 3);
  const { container } = await open();
  const own = container.querySelector('input');
  expect(document.activeElement).toBe(own);
  expect([own?.selectionStart, own?.selectionEnd]).toEqual([2, 3]);
});

test('a field that was entered and left is left in the app too, with what it holds', async () => {
  field('Ответ').value = '4,91';
  field('Решение').focus();
  await open();
  expect(left).toEqual(['4,91']);
});

test('a field that has the focus is not left', async () => {
  field('Ответ').focus();
  field('Ответ').value = '4,91';
  await open();
  expect(left).toEqual([]);
});

test('buttons are pressed in the order of the student, after the answers', async () => {
  field('Ответ').value = '4,91';
  const [mark, next] = painted.querySelectorAll('button');
  if (mark) mark.dataset['pressed'] = '2';
  if (next) next.dataset['pressed'] = '1';
  expect(enteredIn(await open())).toContain('4,91');
  await vi.waitFor(() => expect(pressed).toEqual(['Далее', 'Отметить']));
});

test('a field that is another one on the app’s page gets nothing', async () => {
  field('Ответ').value = 'чужое';
  field('Ответ').setAttribute('aria-label', 'Другой вопрос');
  expect(enteredIn(await open())).toBe('4,9 было Паскаль да а');
});

/** Adds buttons to the start of the painted page. */
const addButtons = (...names: string[]) =>
  painted.prepend(
    ...names.map((name) => Object.assign(document.createElement('button'), { textContent: name })),
  );

const pressPainted = (name: string) => {
  const button = [...painted.querySelectorAll('button')].find(
    ({ textContent }) => textContent === name,
  );
  if (button) button.dataset['pressed'] = '1';
};

test('a button that only the painted page has is not pressed and changes nothing about others', async () => {
  addButtons('Сохранить ответы в файл');
  pressPainted('Далее');
  await open();
  await vi.waitFor(() => expect(pressed).toEqual(['Далее']));
});

test('a press of a button that the app has not is lost', async () => {
  addButtons('Сохранить ответы в файл');
  pressPainted('Сохранить ответы в файл');
  await open();
  expect(painted.isConnected).toBe(false);
  expect(pressed).toEqual([]);
});

test('of two buttons with the same name none is pressed when the app has one', async () => {
  addButtons('Далее');
  pressPainted('Далее');
  await open();
  expect(pressed).toEqual([]);
});

test.each([
  ['Вопрос 2, без ответа', 'Вопрос 2, есть ответ'],
  ['1 на устройстве. Где мои ответы', 'все ответы на сервере. Где мои ответы'],
])('a button is the same in another state: «%s» and «%s»', async (before, after) => {
  addButtons(before);
  pressPainted(before);
  const seen: string[] = [];
  const own = await render(
    <>
      <h1>Вопрос 1</h1>
      <button type="button" onClick={() => seen.push(after)}>
        {after}
      </button>
    </>,
  );
  await act(async () => takeOver(painted, own.container));
  await vi.waitFor(() => expect(seen).toEqual([after]));
});

test('what was typed is added to a text that the painted page did not have yet', async () => {
  field('Ответ').defaultValue = '4';
  field('Ответ').value = '4 м/с';
  expect(enteredIn(await open())).toContain('4,9 м/с');
});

test('a failure of the app is shown', async () => {
  const own = await render(<h2>Что-то пошло не так!</h2>);
  own.container.hidden = true;
  await act(async () => takeOver(painted, own.container));
  expect([own.container.hidden, painted.isConnected]).toEqual([false, false]);
});

test('awaits an unfinished press', async () => {
  painted.toggleAttribute('data-pressing', true);
  await open();
  expect(painted.isConnected).toBe(true);
  painted.toggleAttribute('data-pressing', false);
  await vi.waitFor(() => expect(painted.isConnected).toBe(false));
});

test('the time limit for a lazy part starts after a slow storage has opened', async () => {
  vi.useFakeTimers();
  const own = await render(<p data-slow>Память устройства отвечает долго.</p>);
  await act(async () => takeOver(painted, own.container));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  await own.show(<Own waits />);
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(painted.isConnected).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(painted.isConnected).toBe(false);
});

test('locked fields stay unchanged', async () => {
  field('Ответ').value = '4,91';
  field('Ньютон').checked = true;
  expect(enteredIn(await open({ locked: true }))).toBe('4,9 было Паскаль да а');
});

test('another question gets neither text nor presses', async () => {
  field('Ответ').value = '4,91';
  const [mark] = painted.querySelectorAll('button');
  if (mark) mark.dataset['pressed'] = '1';
  expect(enteredIn(await open({ number: 2 }))).toBe('4,9 было Паскаль да а');
  expect(pressed).toEqual([]);
  expect(painted.isConnected).toBe(false);
});

test('a page that still loads a part waits, but not for ever', async () => {
  vi.useFakeTimers();
  const { container } = await open({ waits: true });
  expect(painted.isConnected).toBe(true);
  expect(container.hidden).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(painted.isConnected).toBe(false);
  expect(container.hidden).toBe(false);
});

test('the app’s page stays after the take-over', async () => {
  vi.useFakeTimers();
  const { container } = await open();
  expect(painted.isConnected).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(container.hidden).toBe(false);
});

test('the part that was awaited ends the waiting', async () => {
  const own = await open({ waits: true });
  await own.show(<Own />);
  await vi.waitFor(() => expect(painted.isConnected).toBe(false));
});

test('words about a slow storage are seen over the painted page', async () => {
  const own = await render(<p data-slow>Память устройства отвечает долго.</p>);
  own.container.hidden = true;
  await act(async () => takeOver(painted, own.container));
  expect([own.container.hidden, painted.isConnected]).toEqual([false, true]);
  await own.show(<p data-waiting>Загружаем</p>);
  await vi.waitFor(() => expect(own.container.hidden).toBe(true));
  await own.show(<Own />);
  await vi.waitFor(() => expect(painted.isConnected).toBe(false));
  expect(own.container.hidden).toBe(false);
});

test('text of an input method is transferred only once it is committed', async () => {
  painted.toggleAttribute('data-composing', true);
  const own = await open();
  field('Ответ').value = '日';
  expect(painted.isConnected).toBe(true);
  await act(async () => {
    painted.toggleAttribute('data-composing', false);
    await vi.waitFor(() => expect(painted.isConnected).toBe(false));
  });
  expect(enteredIn(own)).toContain('日');
});
