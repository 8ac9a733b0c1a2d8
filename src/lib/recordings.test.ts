import { expect, test } from 'vitest';
import { RECORDING_BYTES } from '#contract/limits.ts';
import { isRecording, prepareRecording } from './recordings.ts';

const file = (type: string, size = 3) => new Blob([new Uint8Array(size)], { type });

test('sound is recognised by its type', () => {
  expect(isRecording(file('audio/mpeg'))).toBe(true);
  expect(isRecording(file('image/png'))).toBe(false);
});

test.each(['audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/wav', 'audio/x-wav'])(
  '%s is sent as it is',
  async (type) => {
    const sound = file(type, RECORDING_BYTES);
    expect(await prepareRecording(sound)).toBe(sound);
  },
);

test.each(['audio/ogg', 'audio/webm', 'audio/flac'])(
  '%s is refused with what would do',
  async (type) => {
    await expect(prepareRecording(file(type))).rejects.toThrow(/MP3, M4A и WAV/);
  },
);

test('a recording over the limit is refused with both sizes and what to do', async () => {
  await expect(prepareRecording(file('audio/mpeg', 9 * 1024 * 1024))).rejects.toThrow(
    /занимает 9\sМБ, а помещается 8\sМБ[^]*64 кбит/,
  );
});
