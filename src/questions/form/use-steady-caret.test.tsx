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
  return <LineField {...props} value={value} rich={rich} />;
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
  // «ускорение» is undone to «силу».
  await shown.show(<Field value="Найдите силу бруска" />);
  expect(field?.selectionStart).toBe('Найдите силу'.length);
  expect(field?.selectionEnd).toBe('Найдите силу'.length);
});

test('repeated letters do not move the cursor further', async () => {
  shown = await render(<Text value="АБВопрос" />);
  const field = shown.container.querySelector('textarea');
  // User input: the browser moves the cursor before the event.
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

test('an external change does not move the focus into the field', async () => {
  shown = await render(<Text value="Найдите силу" />);
  await shown.show(<Text value="Найдите массу" />);
  expect(document.activeElement).toBe(document.body);
});
