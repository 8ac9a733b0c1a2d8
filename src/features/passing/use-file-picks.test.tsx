import { act } from 'react';
import { expect, test, vi } from 'vitest';
import type { AnswerFile } from '#contract/answers.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { OutboxRefusal } from '#app/outbox/types.ts';
import { render } from '#app/ui/test-render.tsx';
import type { PreparedFile } from '#app/questions/file/read-picked-file.ts';
import { useAttemptFiles, type AttemptFiles } from './use-file-picks.ts';

const stored = (fileId: string): AnswerFile => ({
  fileId,
  name: fileId,
  size: 1,
  mimeType: 'image/png',
  sha256: '',
});

/** The page of an attempt. Its outbox names each file after itself and preserves the given order. */
async function openFiles() {
  let storedIds: readonly AnswerFile[] = [];
  const addFile = vi.fn<DeviceServices['outbox']['addFile']>(async (_a, _q, file, place) => {
    storedIds = place ? place(storedIds, stored(file.name)) : [stored(file.name)];
    return { operationId: 'o', stream: 's', sequence: 1, saved: true, fileId: file.name };
  });
  const device = { outbox: { addFile } } as unknown as DeviceServices;
  const draw = vi.fn<(files: AttemptFiles) => null>(() => null);
  const Probe = ({ attemptId }: { attemptId: string }) => draw(useAttemptFiles(attemptId)[0]);
  const page = (attemptId: string) => (
    <DeviceContext value={device}>
      <Probe attemptId={attemptId} />
    </DeviceContext>
  );
  const { show } = await render(page('a1'));
  const files = () => {
    const last = draw.mock.lastCall?.[0];
    if (!last) throw new Error('nothing was drawn');
    return last;
  };
  /** Picks a file; the returned function ends its reading. */
  const pick = async (name: string, changes: Partial<PreparedFile> = {}) => {
    let end: (file: PreparedFile) => void = () => undefined;
    const file = { name, mimeType: 'image/png', bytes: new Uint8Array(), note: null };
    const read = () => new Promise<PreparedFile>((resolve) => (end = resolve));
    await act(async () => files().pick({ questionId: 'q', name, size: 1, replaces: false, read }));
    return () => act(async () => end({ ...file, isAdded: true, ...changes }));
  };
  return {
    addFile,
    files,
    pick,
    storedIds: () => storedIds.map(({ fileId }) => fileId),
    see: (attemptId: string) => show(page(attemptId)),
  };
}

test('files stand in the order of picking, whatever order their reads end in', async () => {
  const { pick, storedIds } = await openFiles();
  const [a, b, c] = [await pick('a'), await pick('b'), await pick('c')];
  await b();
  await a();
  expect(storedIds()).toEqual(['a', 'b']);
  await c();
  expect(storedIds()).toEqual(['a', 'b', 'c']);
});

test('a new file replaces the other if only one is allowed', async () => {
  const { pick, storedIds, addFile } = await openFiles();
  await (
    await pick('a', { isAdded: false })
  )();
  await (
    await pick('b', { isAdded: false })
  )();
  expect(storedIds()).toEqual(['b']);
  expect(addFile.mock.lastCall?.slice(0, 3)).toEqual([
    'a1',
    'q',
    { name: 'b', mimeType: 'image/png', bytes: new Uint8Array() },
  ]);
});

test('a reduced photo has its note; another file has none', async () => {
  const { pick, files } = await openFiles();
  await (
    await pick('a', { note: 'Фото уменьшено' })
  )();
  await (
    await pick('b')
  )();
  expect(files().noteOf('a')).toBe('Фото уменьшено');
  expect(files().noteOf('b')).toBeNull();
});

test('a file that the device refuses says why', async () => {
  const { addFile, pick, files } = await openFiles();
  addFile.mockRejectedValueOnce(new OutboxRefusal('finished'));
  await (
    await pick('a')
  )();
  expect(files().list()).toMatchObject([
    { step: 'failed', problem: 'Тест завершён: ответы закрыты для правки.' },
  ]);
});

test('reads go on while the student is elsewhere, and belong to their attempt', async () => {
  const { pick, files, see, storedIds } = await openFiles();
  const end = await pick('a');
  await see('a2');
  expect(files().list()).toEqual([]);
  await see('a1');
  expect(files().list()).toMatchObject([{ name: 'a', step: 'reading' }]);
  await end();
  expect(storedIds()).toEqual(['a']);
});
