import { expect, test } from 'vitest';
import { v7 } from 'uuid';
import { cpuMs } from '#tests/cpu.ts';
import { asWritten, drafted, picturesOf, withoutWrapper } from './drafted.ts';
import { restoreFormulas } from './formulas.ts';
import { createObjectReader } from './objects.ts';

const KINDS = ['open', 'variant', 'compliance', 'ordering', 'gaps', 'file'] as const;
const read = (value: Record<string, unknown>, pictures: readonly string[] = []) =>
  drafted(value, { kinds: KINDS, pictures: new Set(pictures), newId: () => v7() });
const options = [{ text: '1', right: true }, { text: '2' }];

test.each([
  ['an order', { kind: 'ordering', text: 'По порядку', items: ['раз', 'два', 'три'] }],
  [
    'gaps of each input',
    {
      kind: 'gaps',
      text: 'Столица – [[1]], год – [[2]], река – [[3]]',
      gaps: [
        { input: 'line', accepted: ['Рим'] },
        { input: 'number', accepted: ['753'], tolerance: 5 },
        { input: 'choice', options: [{ text: 'Тибр', right: true }, { text: 'Нил' }] },
      ],
    },
  ],
  [
    'open',
    {
      kind: 'open',
      text: 'Сколько?',
      input: 'number',
      accepted: ['3', { text: '4', share: 0.5 }],
      tolerance: 0.5,
    },
  ],
  ['choice', { kind: 'variant', text: 'Что?', multiple: false, options }],
  [
    'matching',
    {
      kind: 'compliance',
      text: 'Пары',
      pairs: [
        { left: 'а', right: '1' },
        { left: 'б', right: '2' },
      ],
      extra: ['3'],
    },
  ],
  [
    'matching with one right item for two left ones',
    {
      kind: 'compliance',
      text: 'Пары',
      pairs: ['а', 'б', 'в'].map((left) => ({ left, right: left === 'в' ? '2' : '1' })),
      extra: [],
    },
  ],
  ['file', { kind: 'file', text: 'Пришлите решение' }],
])('%s goes there and back the same', (_, value) => {
  const { question, reason } = read(value);
  expect(reason).toBeNull();
  if (!question) throw new Error('a question');
  const again = read(asWritten(question) as Record<string, unknown>).question;
  const bare = (given: unknown) =>
    JSON.stringify(given).replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id');
  expect(bare(again)).toBe(bare(question));
});

test('small mistakes are repaired: points as words, an unknown difficulty, two right ones for a single choice', () => {
  const { question } = read({
    kind: 'variant',
    text: 'Что?',
    points: '2,5?',
    difficulty: 'средняя',
    options: [{ text: '1', correct: true }, { text: '2', isRight: true }, '3'],
  });
  expect(question).toMatchObject({ points: 1, multiple: true, options: { length: 3 } });
  expect(question).not.toHaveProperty('difficulty');
});

test.each([
  [
    { kind: 'variant', text: 'Что?', options: [{ text: '1' }, { text: '2' }] },
    'не отмечен верный вариант',
  ],
  [{ kind: 'variant', text: 'Что?', options: 'А и Б' }, 'варианты записаны непонятно'],
  [{ kind: 'variant', text: '', options }, 'нет текста'],
  [{ kind: 'poem' }, 'неизвестный вид вопроса'],
  [{ kind: 'open', text: 'я'.repeat(30_000) }, 'слишком длинный текст или слишком много частей'],
  [{ kind: 'compliance', text: 'П', pairs: [{ left: 'а', right: '1' }] }, 'нужны хотя бы две пары'],
])('%j is no question: %s', (value, reason) => {
  expect(read(value)).toEqual({ question: null, reason });
});

test('foreign pictures become text; tags stay text; what a database cannot store is removed', () => {
  const { question } = read(
    { kind: 'variant', text: '![а](file:1)![б](//evil/x)<script>\u0000', options },
    ['file:1'],
  );
  expect(question?.text).toBe('![а](file:1)б<script>');
  expect(question && picturesOf(question)).toEqual(new Set(['file:1']));
});

test('a wrapper is unwrapped, a question is not', () => {
  expect(withoutWrapper({ title: 'Т', list: [{ kind: 'file' }] })).toEqual([{ kind: 'file' }]);
  const question = { kind: 'variant', options: [{ kind: 'x' }] };
  expect(withoutWrapper(question)).toEqual([question]);
});

test('formulas regain backslashes that JSON read as escapes; line breaks of other text remain', () => {
  const eaten = JSON.parse('"$\\frac{1}{2}\\times\\beta\\rho\\neq\\nu$\\nи\\tдалее"') as string;
  expect(restoreFormulas(eaten)).toBe('$\\frac{1}{2}\\times\\beta\\rho\\neq\\nu$\nи\tдалее');
});

test('formulas in brackets with backslashes, as models write them in spite of the prompt, stand between dollars', () => {
  const raw =
    String.raw`{"kind": "variant", "text": "Чему равно \( \frac{1}{2} \) в коде ~\\(x\\)~?", "options": [{"text": "\\[ x^2 \\]", "right": true}, {"text": "\\(y\\)"}], "explanation": "Так как \\(a = b\\)."}`.replaceAll(
      '~',
      '`',
    );
  const objects: Record<string, unknown>[] = [];
  createObjectReader({ onObject: (object) => void objects.push(object), onBroken: () => {} }).take(
    raw,
  );
  const { question } = read(objects[0] ?? {});
  expect(question).toMatchObject({
    text: 'Чему равно $\\frac{1}{2}$ в коде `\\(x\\)`?',
    options: [{ text: '$$x^2$$' }, { text: '$y$' }],
    explanation: 'Так как $a = b$.',
  });
});

test('unclosed brackets cost no time', () => {
  const from = cpuMs();
  drafted(
    { kind: 'open', text: '!['.repeat(10_000), accepted: [] },
    { kinds: ['open'], pictures: new Set(), newId: () => '00000000-0000-4000-8000-000000000001' },
  );
  picturesOf({
    questionId: '00000000-0000-4000-8000-000000000001',
    kind: 'file',
    text: '!['.repeat(60_000),
    points: 1,
    maxBytes: 1,
    accept: [],
  });
  expect(cpuMs() - from).toBeLessThan(3_000);
});
