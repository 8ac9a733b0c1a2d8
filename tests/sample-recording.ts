const RATE = 8_000;
const HEADER_BYTES = 44;

/** A tone as a WAV file: mono, 8 bits a sample. */
export function makeRecording(seconds: number): Buffer {
  const samples = Math.round(RATE * seconds);
  const wav = Buffer.alloc(HEADER_BYTES + samples, 0x80);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1)
    wav[HEADER_BYTES + at] = 128 + Math.round(60 * Math.sin((2 * Math.PI * 440 * at) / RATE));
  return wav;
}

export const RECORDING = makeRecording(0.2);
