import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { HOSTILE_BODIES, plainText } from '#tests/hostile-bodies.ts';
import { questionLabel } from './question-label.ts';

const label = (text: string) => questionLabel({ text });

test('a title names the question; without one the beginning of the text does', () => {
  expect(questionLabel({ title: ' Координата\nпо закону ', text: 'Тело движется' })).toBe(
    'Координата по закону',
  );
  expect(questionLabel({ title: '  ', text: 'Тело\n\nдвижется' })).toBe('Тело движется');
  expect(label('')).toBe('Без текста');
  expect(label(' \n ')).toBe('Без текста');
});

test('marks of Markdown are left out, words are not', () => {
  expect(label('## Задача\n\n1. **Найдите** *массу* и _силу_')).toBe('Задача Найдите массу и силу');
  expect(label('> Смотрите [таблицу](https://example.org) и `код`')).toBe('Смотрите таблицу и код');
  expect(label('![Брусок на плоскости](file:0198c0de) Что верно?')).toBe(
    'Брусок на плоскости Что верно?',
  );
  expect(label('![](file:0198c0de)')).toBe('рисунок');
  expect(label('| t, с | 0 |\n|---|---|\n| v | 4,9 |')).toBe('t, с 0 v 4,9');
  expect(label('snake_case_name и 2\\*3')).toBe('snake_case_name и 2*3');
});

test('formulas stand as short TeX', () => {
  expect(label('Координата $x(t)=5+4t-3t^2\\ \\text{(м)}$')).toBe('Координата x(t)=5+4t-3t^2 (м)');
  expect(label('Ускорение $$a = \\frac{F}{m} \\cdot 2$$ равно')).toBe(
    'Ускорение a = F/m · 2 равно',
  );
  expect(label(`Ряд $${'x+'.repeat(40)}x$`)).toMatch(/^Ряд x\+.{20,40}…$/);
  expect(label('Стоит 5$ или 6$')).toBe('Стоит 5$ или 6$');
});

test('a long text is cut between words', () => {
  const cut = label('слово '.repeat(60));
  expect(cut.length).toBeLessThanOrEqual(91);
  expect(cut).toMatch(/слово…$/);
});

test('whatever is typed, a line comes out', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const line = label(text);
      expect(line).not.toBe('');
      expect(line).not.toContain('\n');
      expect(line.length).toBeLessThanOrEqual(91);
    }),
  );
});

test('no text takes more than a small multiple of a plain one of its size', () => {
  const cost = (text: string) => {
    const begin = cpuMs();
    for (let time = 0; time < 20; time += 1) label(text);
    return cpuMs() - begin;
  };
  const plain = Math.max(1, cost(plainText(20_000)));
  const slow = Object.entries(HOSTILE_BODIES).filter(([, text]) => {
    const hostile = text(20_000);
    return Math.min(cost(hostile), cost(hostile)) > 50 * plain;
  });
  expect(slow.map(([name]) => name)).toEqual([]);
});
