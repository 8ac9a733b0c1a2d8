import { expect, test, vi } from 'vitest';
import { OutboxRefusal } from '#app/outbox/types.ts';
import { PickProblem } from '#app/questions/file/file-picks.ts';
import { writeProblem } from './write-problem.ts';

const UNEXPECTED = 'Не удалось записать.';

test.each([
  ['unknownAttempt', 'Этой попытки на устройстве нет. Откройте тест ещё раз.'],
  ['finished', 'Тест завершён: ответы закрыты для правки.'],
  ['takenOver', 'Тест продолжается на другом устройстве: отвечайте там.'],
  ['gone', 'Преподаватель удалил эту попытку.'],
  ['fileRefused', 'Такой файл не подойдёт. Выберите другой.'],
] as const)('a refusal (%s) is explained', (reason, message) => {
  expect(writeProblem(new OutboxRefusal(reason), UNEXPECTED)).toBe(message);
});

test('a refusal that brings its own words is explained by them', () => {
  const refusal = new OutboxRefusal('fileRefused', 'Файл больше 1 МБ.');
  expect(writeProblem(refusal, UNEXPECTED)).toBe('Файл больше 1 МБ.');
});

test('a file that cannot be picked says why itself', () => {
  expect(writeProblem(new PickProblem('Файл пустой.'), UNEXPECTED)).toBe('Файл пустой.');
});

test('an unexpected cause is logged and not shown', () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  expect(writeProblem(new Error('QuotaExceededError'), UNEXPECTED)).toBe(UNEXPECTED);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});
