import { expect, test } from 'vitest';
import { nameMedia } from './media-names.ts';

test.each([
  ['![](file:a)', 2, '![Картинка 2](file:a)'],
  ['![ ](audio-file:a)', 'Б', '![Запись Б](audio-file:a)'],
  ['![](file:a) ![](file:b)', 1, '![Картинка 1](file:a) ![Картинка 1.2](file:b)'],
  ['![схема](file:a)', 1, '![схема](file:a)'],
  ['без картинок ![](https://a.ru)', 1, 'без картинок ![](https://a.ru)'],
])('%s at place %s is %s', (text, place, named) => {
  expect(nameMedia(text, place)).toBe(named);
});
