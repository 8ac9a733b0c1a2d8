import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Handover } from '#app/outbox/handover.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { saveFile } from './files.ts';
import { saveAnswers } from './save-answers.ts';
import { SaveAnswersButton } from './SaveAnswersButton.tsx';

vi.mock('./files.ts', () => ({ saveFile: vi.fn() }));

const made = (handover: Partial<Handover> | null) => ({
  exportUnsent: async () => '{"format":"exam-room-answers"}',
  handovers: async () => ({
    make: async () => handover as Handover | null,
    apply: async () => null,
  }),
});
/** A device without a key. */
const outbox = made(null);
const stubShare = (share: unknown, canShare: unknown = () => true) => {
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  Object.defineProperty(navigator, 'canShare', { value: canShare, configurable: true });
};
const downloadedName = () => vi.mocked(saveFile).mock.calls[0]?.[1];

beforeEach(() => vi.mocked(saveFile).mockClear());
afterEach(() => stubShare(undefined, undefined));

test('a system that shares files gets plain text, and nothing is downloaded', async () => {
  const share = vi.fn(async (_data: { files: File[] }) => undefined);
  stubShare(share);
  await saveAnswers(outbox, 'anna', ['Анна', 'Законы Ньютона']);
  const file = share.mock.calls[0]?.[0].files[0];
  expect([file?.name, file?.type, await file?.text()]).toEqual([
    'Ответы, Анна, Законы Ньютона.txt',
    'text/plain',
    '{"format":"exam-room-answers"}',
  ]);
  expect(saveFile).not.toHaveBeenCalled();
});

const throwing = (error: unknown) => () => {
  throw error;
};

test.each([
  ['no share', undefined, undefined],
  ['share without files', vi.fn(), null],
  ['a refused type', vi.fn(), () => false],
  ['a check that throws', vi.fn(), throwing(new TypeError('files'))],
  [
    'a refusal',
    () => Promise.reject(new DOMException('no gesture', 'NotAllowedError')),
    () => true,
  ],
  ['a share that throws at once', throwing(new TypeError('bad')), () => true],
])('the file is downloaded: %s', async (_, share, canShare) => {
  stubShare(share, canShare);
  await saveAnswers(outbox, 'anna', ['Анна']);
  expect(downloadedName()).toBe('Ответы, Анна.json');
});

test('a share sheet that the student closed downloads nothing', async () => {
  stubShare(() => Promise.reject(Object.assign(new Error('closed'), { name: 'AbortError' })));
  await saveAnswers(outbox, 'anna', ['Анна']);
  expect(saveFile).not.toHaveBeenCalled();
});

test.each([
  [[undefined, undefined], 'Ответы.json'],
  [['Анна', 'Тест: «1/2» <b>?*|"\\'], 'Ответы, Анна, Тест «1 2» b.json'],
  [['Анна', 'Контрольная №1.'], 'Ответы, Анна, Контрольная №1.json'],
  [['Анна\u202Egpj.exe\u200B', 'а\nб'], 'Ответы, Анна gpj.exe , а б.json'],
  [['\uD83D', 'т'], 'Ответы, , т.json'],
])('names %j give the file %j', async (names, expected) => {
  await saveAnswers(outbox, 'anna', names);
  expect(downloadedName()).toBe(expected);
});

test.each(['я', '🧪', 'é'])(
  'a long name of «%s» fits a file system and stays whole',
  async (one) => {
    await saveAnswers(outbox, 'anna', [one.repeat(400)]);
    const name = downloadedName() ?? '';
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(240);
    expect(name).toMatch(new RegExp(`^Ответы, (?:${one})+\\.json$`, 'u'));
  },
);

test('a device that cannot be read says that no file was made, and the next press tries again', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const onSave = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('storage'));
  const { container, unmount } = await render(<SaveAnswersButton onSave={onSave} />);
  const alert = () => container.querySelector('[role="alert"]')?.textContent;
  await click(container.querySelector('button'));
  expect(alert()).toContain('Файл не получился');
  await click(container.querySelector('button'));
  expect(alert()).toBe('');
  await unmount();
});

const whole = {
  owner: 'anna',
  parts: [Uint8Array.from([1, 2]), Uint8Array.from([3])],
  isWhole: true,
};
test.each([
  ['a device with a key encrypts the file', made(whole), 'exam-room-handover'],
  [
    'with an answer that was refused the file is plain',
    made({ ...whole, isWhole: false }),
    'exam-room-answers',
  ],
  [
    'of a person who is not signed in the file is plain',
    made({ ...whole, owner: 'boris' }),
    'exam-room-answers',
  ],
  [
    'what cannot be encrypted is saved plain',
    { ...outbox, handovers: () => Promise.reject(new Error('no module')) },
    'exam-room-answers',
  ],
])('%s', async (_, device, format) => {
  await saveAnswers(device, 'anna', ['Анна']);
  const blob = vi.mocked(saveFile).mock.calls[0]?.[0];
  expect(JSON.parse((await blob?.text()) ?? '')).toMatchObject(
    format === 'exam-room-handover'
      ? { format, owner: 'anna', parts: ['AQI=', 'Aw=='] }
      : { format },
  );
});
