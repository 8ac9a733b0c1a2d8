import { expect, test } from 'vitest';
import { describeRefusedFiles } from './refused-files.ts';

test('of several picked files each refused one is named, and a single one says only why', () => {
  const files = [{ name: 'а' }, { name: 'б' }];
  expect(describeRefusedFiles(files.slice(1), ['Файл пустой'], 0, 4)).toBe('Файл пустой');
  expect(describeRefusedFiles(files, ['Файл пустой', null], 0, 4)).toBe('«а»: Файл пустой.');
  expect(describeRefusedFiles(files, [null, null], 0, 4)).toBeNull();
  expect(describeRefusedFiles(files.slice(1), [null], 1, 4)).toBe(
    'Взято файлов: 0, не взято: 1. К этому вопросу можно приложить не больше 4.',
  );
});
