import { drawCode } from './draw-code.ts';
import type { CameraImage } from './read-code.ts';

const WIDTH = 640;
const HEIGHT = 480;
/** Pixels of the picture for each module of the code. */
const MODULE = 4;

/** A code as a small camera sees it: grey around a screen that is neither black nor white. */
export function photographCode(content: Uint8Array, index?: number): CameraImage {
  const { side, isDark } = drawCode(content, index);
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  const [left, top] = [(WIDTH - side * MODULE) / 2, (HEIGHT - side * MODULE) / 2];
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) {
      const [column, row] = [Math.floor((x - left) / MODULE), Math.floor((y - top) / MODULE)];
      const isInside = column >= 0 && row >= 0 && column < side && row < side;
      const codeLight = isDark(column, row) ? 20 : 235;
      const at = (y * WIDTH + x) * 4;
      data.fill(isInside ? codeLight : 120, at, at + 3);
    }
  return { width: WIDTH, height: HEIGHT, data };
}
