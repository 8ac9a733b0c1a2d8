import type { Area } from '#contract/questions.ts';

/** A point of a picture, in shares of its width and height. */
export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** The smallest side of an area, as a share: a shorter one was a tap. */
export const MIN_AREA_SIZE = 0.02;

/** Tenths of a percent are finer than a finger. */
const rounded = (share: number) => Math.round(share * 1_000) / 1_000;
const within = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), most);

/** Corrects typed or dragged input to an area inside the picture that is not too small. */
export function fittedArea({ shape, ...given }: Area): Area {
  const width = rounded(within(given.width, MIN_AREA_SIZE, 1));
  const height = rounded(within(given.height, MIN_AREA_SIZE, 1));
  return {
    shape,
    left: rounded(within(given.left, 0, 1 - width)),
    top: rounded(within(given.top, 0, 1 - height)),
    width,
    height,
  };
}

/** The area between two corners; null: a tap. */
export function drawnArea(from: PicturePoint, to: PicturePoint, shape: Area['shape']): Area | null {
  const [left, right] = [from.x, to.x].map((x) => within(x, 0, 1)).sort((a, b) => a - b);
  const [top, bottom] = [from.y, to.y].map((y) => within(y, 0, 1)).sort((a, b) => a - b);
  if (left === undefined || right === undefined || top === undefined || bottom === undefined)
    return null;
  const [width, height] = [right - left, bottom - top];
  if (width < MIN_AREA_SIZE || height < MIN_AREA_SIZE) return null;
  return fittedArea({ shape, left, top, width, height });
}

export const movedArea = (area: Area, by: PicturePoint): Area =>
  fittedArea({ ...area, left: area.left + by.x, top: area.top + by.y });

/** Resizes by the lower right corner, which stays inside the picture. */
export const resizedArea = (area: Area, by: PicturePoint): Area =>
  fittedArea({
    ...area,
    width: Math.min(area.width + by.x, 1 - area.left),
    height: Math.min(area.height + by.y, 1 - area.top),
  });
