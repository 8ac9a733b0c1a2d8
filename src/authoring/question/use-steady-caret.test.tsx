import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { LineField } from './LineField.tsx';
import { RichTextField } from './RichTextField.tsx';
import { useRichText } from './use-rich-text.tsx';

let shown: Rendered;

const props = { label: 'Текст', onChange: () => undefined };
function Line({ value }: { value: string }) {
  const rich = useRichText({ multiline: false });
  return <LineField {...props} value={value} rich={rich} resolve={async () => ''} />;
}
const Text = ({ value }: { value: string }) => <RichTextField {...props} error="" value={value} />;

afterEach(() => shown.unmount());

test.each([
  ['several lines', Text],
  ['one line', Line],
])('undo in a field of %s leaves the cursor where the text changed', async (_, Field) => {
  shown = await render(<Field value="Найдите ускорение бруска" />);
  const field = shown.container.querySelector('textarea');
  await act(async () => field?.focus());
  // «ускорение» is taken back to «силу».
  await shown.show(<Field value="Найдите силу бруска" />);
  expect(field?.selectionStart).toBe('Найдите силу'.length);
  expect(field?.selectionEnd).toBe('Найдите силу'.length);
});

test('letters that repeat do not move the cursor on', async () => {
  shown = await render(<Text value="АБВопрос" />);
  const field = shown.container.querySelector('textarea');
  // Typed by a person: the browser has moved the cursor before anybody hears of it.
  await act(async () => {
    field?.focus();
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(
      field,
      'АБВГВопрос',
    );
    field?.setSelectionRange(4, 4);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await shown.show(<Text value="АБВГВопрос" />);
  await shown.show(<Text value="АБВопрос" />);
  expect(field?.selectionStart).toBe(2);
  await shown.show(<Text value="АБВГВопрос" />);
  expect(field?.selectionStart).toBe(4);
});

test('a text that is changed while the cursor is elsewhere takes no focus', async () => {
  shown = await render(<Text value="Найдите силу" />);
  await shown.show(<Text value="Найдите массу" />);
  expect(document.activeElement).toBe(document.body);
});
