import { expect, test } from 'vitest';
import { draftLabel } from './labels-draft.ts';

test.each([
  ['server', 'черновик на сервере, 10:42'],
  ['sending', 'отправляем черновик…'],
  ['device', 'черновик на устройстве, 10:42'],
  ['offline', 'нет сети, правки на устройстве'],
  ['memory', 'не удалось сохранить, не закрывайте страницу'],
  ['refused', 'сервер не принял правки, они на устройстве'],
  ['gone', 'тест недоступен, правки на устройстве'],
] as const)('a draft in place %s: «%s»', (place, text) => {
  expect(draftLabel(place, '10:42')).toBe(text);
});
