import { IconUpload } from '@tabler/icons-react';
import { act, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { FileField, type FileFrameProps, type ShownFile } from './FileField.tsx';
import { render, type Rendered } from '#app/ui/test-render.tsx';

let screen: Rendered;
afterEach(() => screen.unmount());

const picture = (name = 'logo.png') => new File(['12345'], name, { type: 'image/png' });

function Control(given: Partial<FileFrameProps> & { stored?: ShownFile }) {
  const { stored = null, ...props } = given;
  const [file, setFile] = useState<ShownFile | null>(stored);
  return <FileField look="frame" label="Логотип" {...props} file={file} onPick={setFile} />;
}

const zone = () => screen.container.querySelector('[data-zone]');
const input = () => screen.container.querySelector('input');
const words = () => zone()?.textContent ?? '';
const isSelected = () => zone()?.hasAttribute('data-selected');

const drag = (type: 'dragenter' | 'dragleave' | 'dragover' | 'drop', files: File[] = []) =>
  act(async () => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer: { files, types: ['Files'] } });
    zone()?.dispatchEvent(event);
  });

const pick = (file: File) =>
  act(async () => {
    const field = input();
    if (!field) throw new Error('No input');
    Object.defineProperty(field, 'files', { value: [file], configurable: true });
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });

test('a file is selected once it was picked', async () => {
  screen = await render(<Control />);
  expect(isSelected()).toBe(false);
  await pick(picture());
  expect(isSelected()).toBe(true);
  expect(words()).toContain('logo.png');
});

test('a file is selected once it was dropped', async () => {
  screen = await render(<Control />);
  await drag('dragenter');
  expect(words()).toContain('Отпустите файл здесь');
  await drag('drop', [picture('dropped.png')]);
  expect(isSelected()).toBe(true);
  expect(words()).toContain('dropped.png');
});

test('dragging over the zone unselects a shown file for that time', async () => {
  screen = await render(<Control stored={{ name: 'kept.pdf', size: 2048 }} />);
  expect(isSelected()).toBe(true);
  await drag('dragenter');
  expect(isSelected()).toBe(false);
  expect(words()).not.toContain('kept.pdf');
  // Over a child of the zone: the enter event comes before the leave event.
  await drag('dragenter');
  await drag('dragleave');
  expect(isSelected()).toBe(false);
  await drag('dragleave');
  expect(isSelected()).toBe(true);
  expect(words()).toContain('kept.pdf');
});

test('a refused file shows the reason and leaves the former file', async () => {
  screen = await render(
    <Control stored={{ name: 'kept.png', size: 2048 }} accept={['image/png']} maxBytes={1024} />,
  );
  await drag('drop', [new File(['x'], 'virus.exe')]);
  expect(screen.container.querySelector('[role=alert]')?.textContent).toBe(
    'Такой файл не подойдёт. Выберите PNG',
  );
  expect(words()).toContain('kept.png');
  expect(input()?.getAttribute('aria-invalid')).toBe('true');
  await pick(picture('good.png'));
  expect(screen.container.querySelector('[role=alert]')?.textContent).toBe('');
  expect(words()).toContain('good.png');
});

test('the zone is a labelled file input described by its rules, its file and its error', async () => {
  screen = await render(
    <Control
      stored={{ name: 'kept.png', size: 2048 }}
      accept={['image/png']}
      maxBytes={1024}
      error="Пожалуйста, загрузите логотип проекта"
    />,
  );
  const field = input();
  expect(field?.type).toBe('file');
  expect(field?.multiple).toBe(false);
  expect(field?.labels?.[0]?.textContent).toBe('Логотип');
  const described = (field?.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(described).toEqual([
    'PNG, до 1\u00a0КБ',
    'Выбран файл kept.png, 2\u00a0КБ',
    'Пожалуйста, загрузите логотип проекта',
  ]);
});

test('a preview is shown where there is one', async () => {
  screen = await render(
    <Control stored={{ name: 'a.png', size: 1, preview: 'data:image/png;base64,AAAA' }} />,
  );
  expect(zone()?.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AAAA');
});

test('a zone passes on a picked file, the same one again, and a dropped one that its reader may refuse', async () => {
  const onPick = vi.fn();
  screen = await render(
    <FileField look="zone" label="Файл CSV" icon={IconUpload} accept=".csv" onPick={onPick}>
      Столбцы: имя, почта
    </FileField>,
  );
  const people = new File(['Имя,Почта'], 'люди.csv');
  await pick(people);
  await pick(people);
  expect(onPick.mock.calls).toEqual([[people], [people]]);
  await drag('dragenter');
  expect(zone()?.getAttribute('data-over')).toBe('true');
  const other = new File(['Имя'], 'люди.dat');
  await drag('drop', [other, people]);
  expect(onPick.mock.calls[2]).toEqual([other]);
  expect(zone()?.hasAttribute('data-over')).toBe(false);
  const described = screen.container.querySelector('button')?.getAttribute('aria-describedby');
  expect(document.getElementById(described ?? '')?.textContent).toBe('Столбцы: имя, почта');
});
