import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { TAGS_PER_QUESTION } from '#contract/limits.ts';
import { press, render, type Rendered } from '#app/ui/test-render.tsx';
import { FileTypesField } from '#app/questions/file/FileTypesField.tsx';
import { NumberInput } from './NumberInput.tsx';
import { TagsField } from './TagsField.tsx';

let shown: Rendered;
afterEach(() => shown.unmount());

function Tags() {
  const [tags, setTags] = useState<readonly string[]>([]);
  return <TagsField tags={tags} onChange={setTags} />;
}

const field = () => shown.container.querySelector('input');
const type = (text: string) =>
  act(async () => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    set?.call(field(), text);
    field()?.dispatchEvent(new Event('input', { bubbles: true }));
  });
/** The text of the page's polite live regions. */
const spoken = () =>
  [...document.querySelectorAll('output, [role=status]')]
    .map(({ textContent }) => textContent)
    .join('');
const tagsShown = () => [...shown.container.querySelectorAll('li')].map((tag) => tag.textContent);

test('retains a pasted tag list that breaks a limit, and reports the limit', async () => {
  shown = await render(<Tags />);
  const many = Array.from({ length: TAGS_PER_QUESTION + 1 }, (_, n) => `метка ${n}`);
  const list = `${many.join(', ')},`;
  await type(list);
  expect(field()?.value).toBe(list);
  expect(spoken()).toBe(`Не больше ${TAGS_PER_QUESTION} меток`);
  await type(`${'ю'.repeat(1_000)},`);
  expect(field()?.value).toHaveLength(1_001);
  expect(spoken()).toContain('Метка не длиннее');
  await type('ЕГЭ, повторение,');
  expect(tagsShown()).toEqual(['ЕГЭ', 'повторение']);
  expect(field()?.value).toBe('');
  expect(spoken()).toBe('');
});

test('reports an unknown type of file', async () => {
  shown = await render(<FileTypesField accept={[]} onChange={() => undefined} />);
  await type('?');
  await press(field(), 'Enter');
  expect(spoken()).toContain('«?» не похоже на тип файла');
});

test('reports a number beyond its bounds where it is typed', async () => {
  const bounds = { min: 0, max: 10, digits: 0, empty: 0 };
  shown = await render(<NumberInput id="n" value={1} bounds={bounds} onChange={() => undefined} />);
  await type('12');
  expect(spoken()).toBe('Не больше 10');
  await type('2');
  expect(spoken()).toBe('');
});
