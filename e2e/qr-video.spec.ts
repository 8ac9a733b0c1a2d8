import type { Page } from '@playwright/test';
import { createSeriesReader } from '#app/lib/qr-series/series-reader.ts';
import { readCode } from '#app/lib/qr-series/read-code.ts';
import { expect, test } from './device.ts';
import { drawCodes, recordCodes, writeQrVideo, type ShownCode } from './qr-video.ts';

/** One picture of the page's camera as text: a character for each byte. */
const takePicture = (page: Page) =>
  page.evaluate(async () => {
    const video = document.querySelector('video') ?? document.createElement('video');
    if (!video.srcObject) {
      document.documentElement.append(video);
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
      await video.play();
    }
    await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    const context = canvas.getContext('2d');
    context?.drawImage(video, 0, 0);
    const { width, height } = canvas;
    const data = context?.getImageData(0, 0, width, height).data ?? [];
    return { width, height, text: Array.from(data, (byte) => String.fromCharCode(byte)).join('') };
  });

/** Shows the codes in turn, as `QrSeries` does. */
const showCodes = (page: Page, codes: ShownCode[]) =>
  page.evaluate((codes) => {
    const canvas = document.createElement('canvas');
    document.body.append(canvas);
    let next = 0;
    const show = () => {
      const { side, dark } = codes[next % codes.length] ?? { side: 0, dark: [] };
      next += 1;
      canvas.width = side;
      canvas.height = side;
      const pixels = new ImageData(side, side);
      for (const [at, isDark] of dark.entries()) {
        const light = isDark ? 0 : 255;
        pixels.data.set([light, light, light, 255], at * 4);
      }
      canvas.getContext('2d')?.putImageData(pixels, 0, 0);
    };
    show();
    setInterval(show, 150);
  }, codes);

test('codes of one screen are recorded for the camera of another device, which gives the bytes to a reader', async ({
  device,
}, info) => {
  const bytes = Uint8Array.from({ length: 1_800 }, (_, at) => (at * 13) & 255);
  const phone = await (await device('phone')).open();
  // A page of the same origin that runs nothing of the app.
  await phone.goto('/healthz');
  await showCodes(phone, drawCodes(bytes, 6));
  const laptop = await device('desktop');
  laptop.camera = info.outputPath('series.y4m');
  await writeQrVideo(laptop.camera, await recordCodes(phone.locator('canvas'), 6));
  const page = await laptop.open();
  await page.goto('/healthz');
  const reader = createSeriesReader();
  const readNext = async () => {
    const { width, height, text } = await takePicture(page);
    const data = Uint8ClampedArray.from(text, (char) => char.charCodeAt(0));
    const content = readCode({ width, height, data });
    const read = content && reader.add(content).bytes;
    return read && Buffer.from(read).equals(bytes);
  };
  await expect.poll(readNext).toBe(true);
});
