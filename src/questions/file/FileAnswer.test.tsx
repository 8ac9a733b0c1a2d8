import { act } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { answerFiles, fileAnswer } from '#domain/answer-files.ts';
import type { AnswerOf } from '#domain/kinds/rules.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { createFilePicks } from './file-picks.ts';
import { FileAnswer } from './FileAnswer.tsx';
import type { AnswerStore, ShownAnswer } from '#app/questions/answer-field.ts';

type GivenAnswer = AnswerOf<'file'> | null;

let drawn: Rendered | undefined;
afterEach(async () => {
  await drawn?.unmount();
  drawn = undefined;
});

async function open(
  accept: string[],
  answer: GivenAnswer = null,
  picks: AnswerStore['picks'] = [],
  maxFiles?: number,
  changes: Partial<ShownAnswer> = {},
  bytesOf: AnswerStore['files']['bytesOf'] = () => Promise.resolve(null),
) {
  const question: Extract<StudentQuestion, { kind: 'file' }> = {
    questionId: 'q',
    kind: 'file',
    text: 'Файл',
    points: 1,
    maxBytes: 1024 * 1024,
    accept,
    ...(maxFiles !== undefined && { maxFiles }),
  };
  const pickFile = vi.fn<AnswerStore['files']['pick']>();
  const changeFiles = vi.fn<AnswerStore['changeFiles']>();
  const cancel = vi.fn<AnswerStore['files']['cancel']>();
  const store: AnswerStore = {
    choose: vi.fn(),
    type: vi.fn(),
    commit: () => Promise.resolve(),
    changeFiles,
    files: {
      pick: pickFile,
      cancel,
      noteOf: () => 'Фото уменьшено: 14 → 3,2 МБ',
      bytesOf,
    },
    picks,
  };
  const field = (given: GivenAnswer) => (
    <FileAnswer
      question={question}
      answer={given}
      shown={{ answer: given, upload: null, stage: 'none', ...changes }}
      store={store}
      locked={false}
      at={undefined}
      labelledBy="q"
      onNext={() => {}}
    />
  );
  const rendered = await render(field(answer));
  drawn = rendered;
  const { container: box, show } = rendered;
  const pick = (name: string, type: string, size = 3) =>
    pickAll(new File(['x'.repeat(size)], name, { type }));
  const pickAll = (...files: File[]) =>
    act(async () => {
      const input = box.querySelector<HTMLInputElement>('input[type=file]:not([capture])');
      if (!input) throw new Error('no file input');
      Object.defineProperty(input, 'files', { value: files, configurable: true });
      Object.defineProperty(input, 'value', { value: '', writable: true, configurable: true });
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
  const alert = () =>
    [...box.querySelectorAll('[role=alert]')].map((one) => one.textContent).join('');
  const become = (given: GivenAnswer) => show(field(given));
  return { box, pick, pickAll, pickFile, changeFiles, cancel, alert, become };
}

test('a file of another type is rejected before it is stored, and the accepted types are named', async () => {
  const { box, pick, pickFile, alert } = await open(['image/*', '.pdf']);
  expect(box.textContent).toContain('Картинки, PDF. До 1');
  await pick('a.py', 'text/x-python');
  expect(pickFile).not.toHaveBeenCalled();
  expect(alert()).toBe('Такой файл не подойдёт. Выберите картинки или PDF');
  await pick('IMG_1.HEIC', '');
  expect(pickFile).toHaveBeenCalledOnce();
  expect(alert()).toBe('');
});

test('without chosen file types any file is accepted, except an empty or too large one', async () => {
  const { box, pick, pickFile, alert } = await open([]);
  expect(box.textContent).toContain('Любой файл. До 1');
  await pick('a.py', '');
  expect(pickFile).toHaveBeenCalledOnce();
  await pick('a.py', '', 0);
  expect(alert()).toBe('Файл пустой. Выберите другой');
  await pick('a.py', '', 1024 * 1024 + 1);
  expect(alert()).toMatch(/^Файл больше 1\u00a0МБ/);
  expect(pickFile).toHaveBeenCalledOnce();
});

test.each([
  ['решение.jpg', 'image/jpeg', 'Переснять'],
  ['программа.py', 'text/x-python', 'Сфотографировать'],
])('only a photo can be retaken: %s', async (name, mimeType, words) => {
  const file = { questionId: 'q', kind: 'file', fileId: 'f', size: 3, sha256: '' } as const;
  const { box } = await open([], { ...file, name, mimeType });
  const camera = box.querySelector('input[capture]');
  expect(camera?.parentElement?.textContent).toContain(words);
});

test('a file that is being read stands in its card until it is stored or cancelled', async () => {
  const picks = [
    { pickId: 7, questionId: 'q', name: 'скан.pdf', size: 2048, step: 'reading', problem: null },
    { pickId: 8, questionId: 'other', name: 'чужой', size: 1, step: 'reading', problem: null },
  ] as const;
  const { box, cancel } = await open([], null, picks);
  expect(box.textContent).toContain('скан.pdf');
  expect(box.textContent).toContain('Читаем файл…');
  expect(box.textContent).not.toContain('чужой');
  await click(box.querySelector('[aria-label="Отменить чтение файла скан.pdf"]'));
  expect(cancel).toHaveBeenCalledWith(7);
});

test('a file that could not be read says why and can be picked again', async () => {
  const problem = 'Файла больше нет на прежнем месте. Выберите его ещё раз.';
  const { box, alert } = await open([], null, [
    { pickId: 7, questionId: 'q', name: 'скан.pdf', size: 2048, step: 'failed', problem },
  ]);
  expect(alert()).toBe(problem);
  const opened = vi.fn<() => void>();
  box.querySelector('input[type=file]:not([capture])')?.addEventListener('click', opened);
  const buttons = [...box.querySelectorAll('button')];
  await click(buttons.find(({ textContent }) => textContent === 'Выбрать ещё раз'));
  expect(opened).toHaveBeenCalledOnce();
});

test('a photo above the limit is picked, another large file is not', async () => {
  const { pick, pickFile, alert } = await open(['image/*', '.pdf']);
  await pick('a.jpg', 'image/jpeg', 1024 * 1024 + 1);
  expect(pickFile).toHaveBeenCalledOnce();
  expect(alert()).toBe('');
  await pick('a.pdf', 'application/pdf', 1024 * 1024 + 1);
  expect(pickFile).toHaveBeenCalledOnce();
  expect(alert()).toMatch(/^Файл больше 1\u00a0МБ/);
});

test('a photo that was made smaller says so', async () => {
  const file = { questionId: 'q', kind: 'file', fileId: 'f', size: 3, sha256: '' } as const;
  const { box } = await open([], { ...file, name: 'a.jpg', mimeType: 'image/jpeg' });
  expect(box.textContent).toContain('Фото уменьшено: 14 → 3,2 МБ');
});

const photos = (...names: string[]) =>
  fileAnswer(
    'q',
    names.map((name) => ({ fileId: name, name, size: 3, mimeType: 'image/jpeg', sha256: '' })),
  );

/** The list after a change of these files. */
const changed = (
  changeFiles: ReturnType<typeof vi.fn<AnswerStore['changeFiles']>>,
  answer: Answer,
) => changeFiles.mock.lastCall?.[1](answerFiles(answer)).map(({ name }) => name);

test('several photos stand in order, are moved by buttons and removed after one question', async () => {
  const answer = photos('a', 'b', 'c');
  const { box, changeFiles } = await open([], answer, [], 4);
  expect(box.textContent).toMatch(/Фото 1 из 3a.*Фото 2 из 3b.*Фото 3 из 3c/);
  await click(box.querySelector('[aria-label="Ниже: a"]'));
  expect(changed(changeFiles, answer)).toEqual(['b', 'a', 'c']);
  await click(box.querySelector('[aria-label="Выше: c"]'));
  expect(changed(changeFiles, answer)).toEqual(['a', 'c', 'b']);
  expect(box.querySelector('[aria-label="Выше: a"]')).toBeNull();
  expect(box.querySelector('[aria-label="Ниже: c"]')).toBeNull();
  await click(box.querySelector('[aria-label="Удалить файл b"]'));
  expect(changeFiles).toHaveBeenCalledTimes(2);
  const dialog = document.querySelector('[role=dialog]');
  expect(dialog?.textContent).toContain('Удалить файл «b»?');
  const buttons = [...(dialog?.querySelectorAll('button') ?? [])];
  await click(buttons.find(({ textContent }) => textContent === 'Удалить'));
  expect(changed(changeFiles, answer)).toEqual(['a', 'c']);
});

test('several files are picked at once; excess or unfit ones are reported', async () => {
  const { box, pickAll, pickFile, alert } = await open(['image/*'], photos('a', 'b'), [], 4);
  expect(box.querySelector('input[type=file]:not([capture])')?.hasAttribute('multiple')).toBe(true);
  const file = (name: string, type = 'image/png') => new File(['x'], name, { type });
  await pickAll(file('c'), file('d.py', 'text/x-python'), file('e'), file('f'), file('g'));
  expect(pickFile.mock.calls.map(([{ name, replaces }]) => [name, replaces])).toEqual([
    ['c', false],
    ['e', false],
  ]);
  expect(alert()).toBe(
    '«d.py»: Такой файл не подойдёт. Выберите картинки. Взято файлов: 2, не взято: 2. К этому вопросу можно приложить не больше 4.',
  );
});

test('files that are still being read take up room', async () => {
  const reading = (pickId: number) =>
    ({ pickId, questionId: 'q', name: 'x', size: 1, step: 'reading', problem: null }) as const;
  const { pickAll, pickFile } = await open([], photos('a'), [reading(1), reading(2)], 4);
  await pickAll(new File(['x'], 'c'), new File(['x'], 'd'));
  expect(pickFile).toHaveBeenCalledOnce();
});

test('a file that could not be read takes up no room', async () => {
  const failed = { pickId: 1, questionId: 'q', name: 'x', size: 1, step: 'failed' } as const;
  const { pickAll, pickFile } = await open([], photos('a'), [{ ...failed, problem: 'нет' }], 2);
  await pickAll(new File(['x'], 'c'));
  expect(pickFile).toHaveBeenCalledOnce();
});

test('where one file is accepted, the next one replaces it', async () => {
  const { pick, pickFile, alert } = await open([], photos('a'));
  await pick('b', 'image/jpeg');
  expect(pickFile.mock.calls.map(([{ name, replaces }]) => [name, replaces])).toEqual([
    ['b', true],
  ]);
  expect(alert()).toBe('');
});

test('a file that is being stored cannot be cancelled any more', async () => {
  const { box } = await open([], null, [
    { pickId: 7, questionId: 'q', name: 'скан.pdf', size: 9, step: 'storing', problem: null },
  ]);
  expect(box.textContent).toContain('скан.pdf');
  expect(box.querySelector('[aria-label="Отменить чтение файла скан.pdf"]')).toBeNull();
});

test('a full list says so instead of offering another file', async () => {
  const { box } = await open([], photos('a', 'b'), [], 2);
  expect(box.textContent).toContain('Приложено 2 из 2.');
});

test('the button that adds the last file goes, and its focus to the words that say so', async () => {
  const { box, become } = await open([], photos('a'), [], 2);
  const button = [...box.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Добавить ещё',
  );
  button?.focus();
  await become(photos('a', 'b'));
  expect(document.activeElement?.textContent).toContain('Приложено 2 из 2.');
});

const half = (size: number) => ({ received: size / 2, size }) as ShownAnswer['upload'];

test.each([
  ['one', ['a.jpg'], 'Файл целиком на устройстве и уйдёт сам, когда появится сеть.'],
  ['several', ['a.jpg', 'b.jpg'], 'Файлы целиком на устройстве и уйдут сами, когда появится сеть.'],
])('an upload of %s that was cut says where the bytes are', async (_, names, sentence) => {
  const cut = { stage: 'device', upload: half(4 * 1024 * 1024) } as const;
  const { box } = await open([], photos(...names), [], 3, cut);
  const words = box.textContent.replaceAll('\u00A0', ' ');
  expect(words).toContain('Отправка прервалась на 2 МБ.');
  expect(words).toContain(sentence);
  expect(words).not.toContain('отправка продолжится');
});

test.each([
  ['device', null, ''],
  ['device', { received: 0, size: 8 }, ''],
  ['unsaved', half(8), ''],
  ['server', half(8), ''],
  ['sending', half(8), 'Можно перейти к другим вопросам: отправка продолжится.'],
] as const)('while a file is «%s» (%j) its only note is: «%s»', async (stage, upload, note) => {
  const { box } = await open([], photos('a.jpg'), [], 1, { stage, upload });
  for (const words of ['отправка продолжится', 'на устройстве и уйдёт'])
    expect(box.textContent.includes(words)).toBe(note.includes(words));
});

test('a file still being read at the finish is shown as not handed in', async () => {
  const picks = createFilePicks({ store: () => Promise.resolve('f'), explain: String });
  const read = () => new Promise<never>(() => undefined);
  picks.pick({ questionId: 'q', name: 'скан.pdf', size: 9, replaces: true, read });
  await picks.close();
  const { box } = await open([], null, picks.list());
  expect(box.textContent).toContain('Файл ещё читался, когда тест завершился: он не сдан.');
});

/** Object URLs as the browser gives them out, and those that were given back. */
function stubObjectUrls() {
  const made: Blob[] = [];
  const revoked: string[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(class extends URL {}, {
      createObjectURL: (blob: Blob) => `blob:${made.push(blob)}`,
      revokeObjectURL: (url: string) => revoked.push(url),
    }),
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return { made, revoked };
}

const pictures = (box: HTMLElement) => [...box.querySelectorAll('img')].map(({ src }) => src);

test('own pictures with bytes on this device are shown, until they are removed', async () => {
  const urls = stubObjectUrls();
  const bytesOf = vi.fn<AnswerStore['files']['bytesOf']>(async (fileId) =>
    fileId === 'away' ? null : new Uint8Array([1]),
  );
  const text = { fileId: 'text', name: 't.py', size: 3, mimeType: 'text/x-python', sha256: '' };
  const answer = fileAnswer('q', [...answerFiles(photos('a', 'away')), text]);
  const { box, become } = await open([], answer, [], 5, {}, bytesOf);
  expect(pictures(box)).toEqual(['blob:1']);
  expect(urls.made[0]?.type).toBe('image/jpeg');
  expect(bytesOf.mock.calls).toEqual([['a'], ['away']]);
  await become(photos('a', 'b'));
  expect(urls.revoked).toEqual(['blob:1']);
  expect(pictures(box)).toEqual(['blob:2', 'blob:3']);
  // The same list once more reads nothing again.
  await become(photos('a', 'b'));
  expect(bytesOf).toHaveBeenCalledTimes(4);
  await drawn?.unmount();
  drawn = undefined;
  expect(urls.revoked).toEqual(['blob:1', 'blob:2', 'blob:3']);
});

test('the URL of a picture loaded after its field closed is revoked', async () => {
  const urls = stubObjectUrls();
  let deliver: (bytes: Uint8Array<ArrayBuffer>) => void = () => undefined;
  const bytes = new Promise<Uint8Array<ArrayBuffer>>((resolve) => {
    deliver = resolve;
  });
  await open([], photos('a'), [], 1, {}, () => bytes);
  await drawn?.unmount();
  drawn = undefined;
  deliver(new Uint8Array([1]));
  await vi.waitFor(() => expect(urls.revoked).toEqual(['blob:1']));
});
