import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { press, render, type Rendered } from '#app/ui/test-render.tsx';
import { FilePart } from './FilePart.tsx';

type FileQuestion = Extract<Question, { kind: 'file' }>;

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

async function open(accept: string[]) {
  const latest = { accept };
  function Editor() {
    const [question, setQuestion] = useState<FileQuestion>({
      questionId: 'q',
      kind: 'file',
      text: 'Файл',
      points: 1,
      maxBytes: 1024 * 1024,
      accept,
    });
    return (
      <FilePart
        question={question}
        problems={[]}
        onChange={(next) => {
          if (next.kind !== 'file') return;
          latest.accept = next.accept;
          setQuestion(next);
        }}
      />
    );
  }
  shown = await render(<Editor />);
  const box = shown.container;
  const label = [...box.querySelectorAll('label')].find((one) => one.textContent === 'Другие типы');
  const field = box.querySelector<HTMLInputElement>(`#${CSS.escape(label?.htmlFor ?? '')}`);
  if (!field) throw new Error('no field');
  const paste = (text: string) =>
    act(async () => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      set?.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
  const write = async (text: string) => {
    await paste(text);
    await press(field, 'Enter');
  };
  return { box, paste, write, accept: () => latest.accept };
}

test('the form says that any file fits unless types are chosen', async () => {
  const { box } = await open([]);
  expect(box.textContent).toContain('Не отмечено ничего: подойдёт любой файл.');
  expect(box.textContent).toContain('Любой файл. До 1');
});

test('other types can be typed and are normalised as on the server', async () => {
  const { box, write, accept } = await open(['.pdf']);
  await write('PY, *.ggb .py');
  expect(accept()).toEqual(['.pdf', '.py', '.ggb']);
  expect(box.textContent).toContain('PDF, PY, GGB. До 1');
});

test('an invalid type is rejected with a message', async () => {
  const { box, write, accept } = await open([]);
  await write('.py, любые картинки');
  expect(accept()).toEqual([]);
  expect(box.textContent).toContain('«любые» не похоже на тип файла. Напишите расширение: .py');
});

test('a list of types that is too long is cut with a sentence that says so', async () => {
  const { box, paste } = await open([]);
  await paste('.py, '.repeat(60));
  expect(box.textContent).toContain('Вставлено 200 из 300 знаков: остальное не поместилось');
});
