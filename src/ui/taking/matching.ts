import { letterOf } from '#domain/format.ts';

export interface LeftItem {
  leftId: string;
  text: string;
}

export interface RightItem {
  rightId: string;
  text: string;
}

export interface Pair {
  leftId: string;
  rightId: string;
}

/**
 * Pairs a left item with a right one. Unless right items may be reused, the right item loses its other pair. The pairs
 * are in the order of the left items.
 */
export function withPair(
  left: readonly LeftItem[],
  pairs: readonly Pair[],
  pair: Pair,
  reuse: boolean,
): Pair[] {
  const others = pairs.filter(
    ({ leftId, rightId }) => leftId !== pair.leftId && (reuse || rightId !== pair.rightId),
  );
  const all = [...others, pair];
  return left.flatMap(({ leftId }) => all.find((each) => each.leftId === leftId) ?? []);
}

/** Removes the pair of a left item. */
export function withoutPair(pairs: readonly Pair[], leftId: string): Pair[] {
  return pairs.filter((pair) => pair.leftId !== leftId);
}

/** Only the pictures and recordings of a text: within a button they can be neither opened nor played. */
export function mediaOf(text: string): string {
  let from = 0;
  const found = [...text.matchAll(/\]\(((?:audio-)?file:[\w./-]{1,200})[^)]{0,200}\)/g)].flatMap(
    ({ 0: whole, 1: address = '', index }) => {
      const start = text.lastIndexOf('![', index);
      const media = start < from ? [] : [`${text.slice(start, index)}](${address})`];
      from = index + whole.length;
      return media;
    },
  );
  return found.join(' ');
}

/** The next left item without a pair after `leftId`, wrapping at the end; null when all have one. */
export function nextFree(
  left: readonly LeftItem[],
  pairs: readonly Pair[],
  leftId: string | null,
): string | null {
  const at = left.findIndex((item) => item.leftId === leftId);
  const inOrder = [...left.slice(at + 1), ...left.slice(0, at + 1)];
  const free = inOrder.find((item) => !pairs.some((pair) => pair.leftId === item.leftId));
  return free?.leftId ?? null;
}

/** Letters by the position of their key, so that they also work on a Latin keyboard. */
const KEY_PLACES: Readonly<Record<string, string>> = {
  KeyF: 'А',
  Comma: 'Б',
  KeyD: 'В',
  KeyU: 'Г',
  KeyL: 'Д',
  KeyT: 'Е',
  Semicolon: 'Ж',
  KeyP: 'З',
  KeyB: 'И',
  KeyR: 'К',
};

/** The index of the right item with the pressed letter, or −1. */
export function indexOfKey({ key, code }: { key: string; code: string }, count: number): number {
  const letters = Array.from({ length: count }, (_, index) => letterOf(index));
  const typed = letters.indexOf(key.toUpperCase());
  return typed >= 0
    ? typed
    : letters.indexOf(/^[a-z,;]$/i.test(key) ? (KEY_PLACES[code] ?? '') : '');
}

/** Right texts up to this length are shown in two columns and beside their left item. */
const SHORT = 14;

export function allShort(right: readonly RightItem[]): boolean {
  return right.every(({ text }) => text.replaceAll(/[$\\{}]/g, '').length <= SHORT);
}
