import { createRoot, type Root } from 'react-dom/client';
import { act, useState, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  page = document.createElement('div');
  document.body.append(page);
  root = createRoot(page);
});

afterEach(() => {
  act(() => root.unmount());
  page.remove();
});

const show = (content: ReactNode) => act(() => root.render(content));

/** What the translation of a browser does to a page. */
function translate(): void {
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const font = document.createElement('font');
    text.parentNode?.replaceChild(font, text);
    font.append(text.textContent ?? '');
  }
}

const Passed = ({ children }: { children: ReactNode }) => (
  <p>
    <i />
    {children}
  </p>
);

const OnlyText = ({ n }: { n: number }) => <>{n} из 20</>;

/** Kinds of places where a text changes or comes and goes, by the number shown. */
const places: Readonly<Record<string, (n: number) => ReactNode>> = {
  'numbers inside a sentence': (n) => (
    <p>
      {n} из 20, вопрос {n}
    </p>
  ),
  'a text beside an element': (n) => (
    <p>
      <b>Вопрос</b> {n}
    </p>
  ),
  'a text that comes and goes': (n) => (
    <p>
      <b>Попытка</b>
      {n > 1 && `, номер ${n}`}
    </p>
  ),
  'an element that comes before a fixed text': (n) => (
    <p>
      {n > 1 && <b>{n}</b>} из двадцати
      {n > 2 ? <i>да</i> : 'нет'}
    </p>
  ),
  'a text or an element': (n) => <p>{n % 2 === 0 ? `чётное ${n}` : <b>нечётное {n}</b>}</p>,
  'a fragment of text alone': (n) => <p>{n === 2 ? <i /> : <>вопрос {n}</>}</p>,
  'a component that is a fragment': (n) => (
    <p>
      {n < 3 && <OnlyText n={n} />}
      <b>{n}</b>
    </p>
  ),
  'a text passed to a component': (n) => <Passed>{`вопрос ${n}`}</Passed>,
  'texts passed to a component': (n) => (
    <Passed>
      вопрос {n} <b>из 20</b>
    </Passed>
  ),
};

describe('a page with replaced text nodes', () => {
  test.each(Object.entries(places))('shows what is current: %s', (_place, render) => {
    const words = (n: number) => {
      show(render(n));
      return page.textContent;
    };
    const expected = [1, 2, 3, 4].map(words);
    act(() => root.unmount());
    root = createRoot(page);
    show(render(1));
    for (const n of [2, 3, 4, 3, 2, 1]) {
      translate();
      show(render(n));
      expect(page.textContent).toBe(expected[n - 1]);
    }
    expect(new Set(expected).size).toBe(4);
  });
});

test('texts in a row are one element, and a lone text is none', () => {
  show(
    <div>
      <p>
        {7} из {20}
      </p>
      <p>
        {7} из {20}
        <b>!</b>
      </p>
      <select>
        <option>
          {7} из {20}
        </option>
      </select>
    </div>,
  );
  expect(page.innerHTML).toBe(
    '<div><p>7 из 20</p><p><span>7 из 20</span><b>!</b></p><select><option>7 из 20</option></select></div>',
  );
});

test('an input beside a text that comes and goes stays the same', () => {
  function Field() {
    const [n, setN] = useState(0);
    return (
      <label>
        {n > 0 && 'Изменено '}
        {n > 1 && n}
        <input onInput={() => setN(n + 1)} />
      </label>
    );
  }
  show(<Field />);
  const input = page.querySelector('input');
  for (const words of ['Изменено ', 'Изменено 2']) {
    act(() => {
      input?.dispatchEvent(new Event('input', { bubbles: true }));
    });
    expect(page.textContent).toBe(words);
    expect(page.querySelector('input')).toBe(input);
  }
});
