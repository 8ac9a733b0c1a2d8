import { create, type QRCodeMaskPattern } from 'qrcode';

/** Free modules around a code, required by the standard. */
const QUIET_MODULES = 4;

/** A QR code with its white border, one pixel for each module. */
export interface CodePixels {
  /** Pixels in each direction. */
  readonly side: number;
  isDark: (x: number, y: number) => boolean;
}

/**
 * @param index of the frame in a changing series: its mask is given, since the search for the best one takes 30 times as
 *   long as all the rest. A mask that is badly legible is followed by another one.
 * @throws for more bytes than a QR code can hold
 */
export function drawCode(content: Uint8Array, index?: number): CodePixels {
  const { modules } = create([{ data: content, mode: 'byte' }], {
    errorCorrectionLevel: 'L',
    ...(index !== undefined && { maskPattern: (index % 8) as QRCodeMaskPattern }),
  });
  const { size } = modules;
  return {
    side: size + 2 * QUIET_MODULES,
    isDark(x, y) {
      const [column, row] = [x - QUIET_MODULES, y - QUIET_MODULES];
      const isInside = column >= 0 && row >= 0 && column < size && row < size;
      return isInside && modules.get(row, column) !== 0;
    },
  };
}
