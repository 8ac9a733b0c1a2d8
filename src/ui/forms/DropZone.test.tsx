import { IconUpload } from '@tabler/icons-react';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { DropZone } from './DropZone.tsx';
import { render } from '#app/ui/test-render.tsx';

test('a picked file is taken, the same one again too, and so is a dropped one', async () => {
  const onFile = vi.fn();
  const { container, unmount } = await render(
    <DropZone
      label="Файл CSV"
      icon={IconUpload}
      accept=".csv"
      describedBy="rules"
      onFile={onFile}
    />,
  );
  const file = new File(['Имя,Почта'], 'люди.csv');
  const input = container.querySelector('input');
  if (!input) throw new Error('no input');
  const pick = () =>
    act(async () => {
      Object.defineProperty(input, 'files', { value: [file], configurable: true });
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
  await pick();
  await pick();
  expect(onFile.mock.calls).toEqual([[file], [file]]);
  const zone = container.querySelector('div');
  const drag = (type: string) =>
    act(async () => {
      const event = new Event(type, { bubbles: true, cancelable: true });
      zone?.dispatchEvent(
        Object.assign(event, { dataTransfer: { files: [file], types: ['Files'] } }),
      );
    });
  await drag('dragenter');
  expect(zone?.dataset['over']).toBe('true');
  await drag('drop');
  expect(onFile).toHaveBeenCalledTimes(3);
  expect(zone?.dataset['over']).toBeUndefined();
  await unmount();
});
