import { parseNumber } from '#domain/normalise.ts';
import { formatNumber } from '#domain/format.ts';

/** Parsed points, or the error message. */
export type TypedPoints =
  | { readonly points: number; readonly error: null }
  | { readonly points: null; readonly error: string };

const wrong = (error: string): TypedPoints => ({ points: null, error });

/** Parses points in Russian or English notation: 0 … max, at most two decimals. */
export function readPoints(text: string, max: number): TypedPoints {
  if (text.trim() === '') return wrong('Поставьте баллы');
  const points = /^[\d\s.,+−-]+$/.test(text) ? parseNumber(text) : null;
  if (points === null) return wrong('Напишите число, например 2,5');
  if (points < 0) return wrong('Баллы не бывают отрицательными');
  if (points > max) return wrong(`За этот вопрос не больше ${formatNumber(max)}`);
  if (Math.abs(points * 100 - Math.round(points * 100)) > 1e-6)
    return wrong('Не больше двух знаков после запятой');
  return { points, error: null };
}

/** Formats points for the input field. */
export const writePoints = (points: number): string => formatNumber(points).replace(/\s/g, '');

/** The most common grades: zero, half and full points. */
export function usualPoints(max: number): number[] {
  const half = Math.round(max * 50) / 100;
  return [...new Set([0, half, max])];
}

/** Steps the points within 0 … max; an empty field starts from 0. */
export function stepPoints(text: string, max: number, direction: 1 | -1): number {
  const step = max >= 10 ? 1 : max > 1 ? 0.5 : 0.25;
  const { points } = readPoints(text, Number.MAX_SAFE_INTEGER);
  const next = Math.round(((points ?? 0) + direction * step) * 100) / 100;
  return Math.min(max, Math.max(0, next));
}
