import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { focusElement, keepFocus } from './keep-focus.ts';
import { placeOfPressed } from './lost-focus.ts';

let stop = () => {};
beforeEach(() => {
  // There is no layout here: every element counts as visible.
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList);
  stop = keepFocus(null);
});
afterEach(() => {
  stop();
  document.body.innerHTML = '';
  vi.restoreAllMocks();
});

const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};

test('a heading of a page that is drawn anew passes the focus on to the new one, and to no part of the page', async () => {
  document.body.innerHTML = '<main><div><h1>О тесте</h1><p>Загружаем</p></div></main>';
  focusElement(find('h1'));
  find('div').innerHTML = '<h1>О тесте</h1><section><h2>Законы Ньютона</h2></section>';
  await vi.waitFor(() => expect(document.activeElement).toBe(find('h1')));
});

test('a button that goes away passes the focus on to the heading of its part', async () => {
  document.body.innerHTML =
    '<main><h1>Классы</h1><section><h2>9А</h2><button>Открыть</button><p>30</p></section></main>';
  find('button').focus();
  find('button').remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(find('h2')));
});

test('a button that is hidden passes the focus on, too', async () => {
  document.body.innerHTML =
    '<main><h1>Классы</h1><section><h2>9А</h2><button>Открыть</button><p>30</p></section></main>';
  find('button').focus();
  find('button').style.visibility = 'hidden';
  // Browsers remove the focus from it.
  find('button').blur();
  await vi.waitFor(() => expect(document.activeElement).toBe(find('h2')));
});

test('a blurred button does not regain the focus', async () => {
  document.body.innerHTML = '<main><h1>Классы</h1><button>Открыть</button></main>';
  find('button').focus();
  find('button').blur();
  // After the effects of the lost focus.
  await Promise.resolve();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  expect(document.activeElement).toBe(document.body);
});

test('a removed row passes the focus on to the same control of the next row, whatever class Mantine gave it', async () => {
  document.body.innerHTML = `<main><h1>Вопрос</h1><ul>
    <li class="row __m__-a"><button id="first">Убрать</button></li>
    <li class="row __m__-b"><button id="second">Убрать</button></li>
  </ul></main>`;
  find('#first').focus();
  find('li').remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(find('#second')));
});

const LIST = `<main><h1>Проверка</h1><ul>
    <li class="row"><button id="first"><b>Борис</b></button></li>
    <li class="row"><button id="second">Вера</button></li>
  </ul><section><h2>Борис</h2><input></section></main>`;

/** The place of the first button, as a press of its name reports it. */
function pressFirst() {
  let place: ReturnType<typeof placeOfPressed> = null;
  const onPointerDown = (event: Event) => {
    place = placeOfPressed(event);
  };
  window.addEventListener('pointerdown', onPointerDown, { capture: true, once: true });
  find('#first b').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  return place;
}

test('a control that went away by the first press of all passes the focus on, however late this begins', async () => {
  stop();
  document.body.innerHTML = LIST;
  const pressed = pressFirst();
  find('li').remove();
  stop = keepFocus(pressed);
  await vi.waitFor(() => expect(document.activeElement).toBe(find('#second')));
});

test('an element focused since the first press stays focused', async () => {
  stop();
  document.body.innerHTML = LIST;
  const pressed = pressFirst();
  find('li').remove();
  find('input').focus();
  stop = keepFocus(pressed);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  expect(document.activeElement).toBe(find('input'));
});
