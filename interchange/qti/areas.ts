import type { Area } from '#contract/questions.ts';
import { elements, everyElement, type XmlElement } from '#interchange/xml.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The picture of a graphic interaction: `object` of version 2, `img` or `picture` of version 3. */
export const graphicOf = (interaction: XmlElement): XmlElement | undefined =>
  [...everyElement(interaction)].find(({ name }) => name === 'object' || name === 'img');

/** The size that its coordinates refer to, pixels; null: unknown. */
export function sizeOf(graphic: XmlElement): Size | null {
  const [width, height] = ['width', 'height'].map((name) =>
    Number(/^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(graphic.attributes.get(name) ?? '')?.[1]),
  );
  return width && height ? { width, height } : null;
}

/** The address of a picture. */
export const sourceOf = (graphic: XmlElement): string =>
  graphic.attributes.get('data') ?? graphic.attributes.get('src') ?? '';

type Corners = readonly [left: number, top: number, right: number, bottom: number];

/** The least rectangle around a shape, pixels; null: a shape without an area. */
function cornersOf(shape: string, coords: readonly number[]): Corners | null {
  const [a = NaN, b = NaN, c = NaN, d = NaN] = coords;
  switch (shape) {
    case 'rect':
      return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
    case 'circle':
      return [a - c, b - c, a + c, b + c];
    case 'ellipse':
      return [a - c, b - d, a + c, b + d];
    case 'poly': {
      const xs = coords.filter((_, index) => index % 2 === 0);
      const ys = coords.filter((_, index) => index % 2 === 1);
      return xs.length < 3
        ? null
        : [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    }
    default:
      return null;
  }
}

/** Finer than any screen can show. */
const rounded = (share: number) => Math.round(share * 1e4) / 1e4;

/** Maximum number of points of one hotspot: no hand draws more. */
const MAX_COORDS = 1_000;

/** The area of one hotspot; null: it has none, or lies outside of the picture. */
export function areaOf(hotspot: XmlElement, size: Size, loss: (line: string) => void): Area | null {
  const shape = hotspot.attributes.get('shape') ?? '';
  const coords = (hotspot.attributes.get('coords') ?? '')
    .split(/[\s,]+/)
    .slice(0, MAX_COORDS)
    .filter(Boolean)
    .map(Number);
  const corners = cornersOf(shape, coords);
  if (!corners || !corners.every(Number.isFinite)) return null;
  const [left, top, right, bottom] = corners.map((value, index) =>
    rounded(Math.min(Math.max(value / (index % 2 === 0 ? size.width : size.height), 0), 1)),
  );
  if (left === undefined || top === undefined || right === undefined || bottom === undefined)
    return null;
  if (right <= left || bottom <= top) return null;
  if (shape === 'poly') loss('Многоугольник на картинке стал прямоугольником вокруг него');
  const isRound = shape === 'circle' || shape === 'ellipse';
  return {
    shape: isRound ? 'ellipse' : 'rectangle',
    left,
    top,
    width: rounded(right - left),
    height: rounded(bottom - top),
  };
}

/** The hotspots of an interaction, except those that associate more than one. */
export const hotspotsOf = (interaction: XmlElement): readonly XmlElement[] =>
  elements(interaction, 'hotspotChoice');

/** Coordinates of an area on a picture of a size, as QTI writes them. */
export function coordsOf(
  { shape, left, top, width, height }: Area,
  size: Size,
): { shape: 'rect' | 'ellipse'; coords: string } {
  const x = (share: number) => Math.round(share * size.width);
  const y = (share: number) => Math.round(share * size.height);
  return shape === 'rectangle'
    ? { shape: 'rect', coords: [x(left), y(top), x(left + width), y(top + height)].join() }
    : {
        shape: 'ellipse',
        coords: [x(left + width / 2), y(top + height / 2), x(width / 2), y(height / 2)].join(),
      };
}
