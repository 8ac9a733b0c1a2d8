import { open } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { drawCode } from '#app/lib/qr-series/draw-code.ts';
import { encodeSeries } from '#app/lib/qr-series/encode-series.ts';

/** One shown QR code with its white border: a pixel for each module, light or dark, row by row. */
export interface ShownCode {
  side: number;
  dark: boolean[];
}

/** The first codes of a series, without a page that shows them. */
export function drawCodes(bytes: Uint8Array, count: number): ShownCode[] {
  const series = encodeSeries(bytes);
  return Array.from({ length: count }, (_, index) => {
    const { side, isDark } = drawCode(series.frame(index), index);
    const dark = Array.from({ length: side * side }, (_, at) =>
      isDark(at % side, Math.floor(at / side)),
    );
    return { side, dark };
  });
}

/**
 * Records the codes that `QrSeries` shows, each once.
 * @param canvas of the component, found by its label
 */
export async function recordCodes(canvas: Locator, count: number): Promise<ShownCode[]> {
  const codes = await canvas.evaluate(
    (element, count) =>
      new Promise<{ side: number; bits: string }[]>((resolve) => {
        const shown = element as HTMLCanvasElement;
        const found: { side: number; bits: string }[] = [];
        const look = () => {
          const side = shown.width;
          const { data } = shown.getContext('2d')?.getImageData(0, 0, side, side) ?? { data: [] };
          const dark = Array.from({ length: side * side }, (_, at) => Number(data[at * 4] === 0));
          const bits = dark.join('');
          if (bits.includes('1') && found.at(-1)?.bits !== bits) found.push({ side, bits });
          if (found.length >= count) resolve(found);
          else requestAnimationFrame(look);
        };
        look();
      }),
    count,
  );
  return codes.map(({ side, bits }) => ({ side, dark: Array.from(bits, (bit) => bit === '1') }));
}

const WIDTH = 640;
const HEIGHT = 480;
/** Shades of a screen before a camera, and of what is around it. */
const [DARK, LIGHT, AROUND] = [40, 220, 110];

/** The brightness of each pixel of a camera that sees the code in the middle of its picture. */
function takeLuma({ side, dark }: ShownCode): Buffer {
  const scale = Math.floor((HEIGHT - 40) / side);
  const luma = Buffer.alloc(WIDTH * HEIGHT, AROUND);
  const [left, top] = [(WIDTH - side * scale) >> 1, (HEIGHT - side * scale) >> 1];
  for (let y = 0; y < side * scale; y += 1)
    for (let x = 0; x < side * scale; x += 1) {
      const isDark = dark[Math.floor(y / scale) * side + Math.floor(x / scale)] ?? false;
      luma[(top + y) * WIDTH + left + x] = isDark ? DARK : LIGHT;
    }
  return luma;
}

/**
 * Writes a recording for `Device.camera`: Chromium shows it again and again.
 * @param path ends with `.y4m`
 */
export async function writeQrVideo(
  path: string,
  codes: readonly ShownCode[],
  codesPerSecond = 6,
): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.write(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${codesPerSecond}:1 Ip A1:1 C420jpeg\n`);
    const noColour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
    for (const code of codes)
      await file.write(Buffer.concat([Buffer.from('FRAME\n'), takeLuma(code), noColour]));
  } finally {
    await file.close();
  }
}
