import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNavigator, type PageEnvironment } from './delayed-navigation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake scrolled page with a smooth scroll of `scrollMs`. */
function pageAt(px: number, { scrollMs = 100, still = false } = {}) {
  const state = { px, address: '/tests', scrolls: 0 };
  const page: PageEnvironment = {
    scrolled: () => state.px,
    scrollToTop: (behavior) => {
      state.scrolls += 1;
      if (behavior === 'instant') state.px = 0;
      else setTimeout(() => (state.px = 0), scrollMs);
    },
    prefersStillness: () => still,
    address: () => state.address,
    setTimeout: (run, ms) => void setTimeout(run, ms),
  };
  return { state, navigateBy: createNavigator(page), go: vi.fn<() => void>() };
}

test('a navigation without preconditions is immediate', () => {
  const { navigateBy, go } = pageAt(900);
  navigateBy('immediate', go);
  expect(go).toHaveBeenCalledOnce();
});

test('a menu link navigates 10 ms later, after the menu has closed', () => {
  const { navigateBy, go } = pageAt(900);
  navigateBy('afterClosing', go);
  vi.advanceTimersByTime(9);
  expect(go).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(go).toHaveBeenCalledOnce();
});

test('far from the top the page jumps there and navigates 50 ms later', () => {
  const { navigateBy, go, state } = pageAt(9_000, { scrollMs: 400 });
  navigateBy('afterScroll', go);
  expect(state).toMatchObject({ scrolls: 1, px: 0 });
  vi.advanceTimersByTime(49);
  expect(go).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(go).toHaveBeenCalledOnce();
});

test('a scrolled page scrolls smoothly to its top and navigates 50 ms later', () => {
  const { navigateBy, go, state } = pageAt(500, { scrollMs: 96 });
  navigateBy('afterScroll', go);
  expect(state.scrolls).toBe(1);
  vi.advanceTimersByTime(96 + 49);
  expect(go).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(go).toHaveBeenCalledOnce();
});

test('a page at its top, or reduced motion, has no delay', () => {
  for (const { navigateBy, go, state } of [pageAt(0), pageAt(900, { still: true })]) {
    navigateBy('afterScroll', go);
    expect(go).toHaveBeenCalledOnce();
    expect(state.scrolls).toBe(0);
  }
});

test('an interrupted scroll delays the navigation by at most half a second', () => {
  const { navigateBy, go } = pageAt(500, { scrollMs: 60_000 });
  navigateBy('afterScroll', go);
  vi.advanceTimersByTime(500);
  expect(go).toHaveBeenCalledOnce();
});

test('of two navigations only the later one happens, and none after the page has changed', () => {
  const { navigateBy, go, state } = pageAt(900);
  const later = vi.fn<() => void>();
  navigateBy('afterScroll', go);
  navigateBy('afterScroll', later);
  vi.advanceTimersByTime(1_000);
  expect(go).not.toHaveBeenCalled();
  expect(later).toHaveBeenCalledOnce();
  navigateBy('afterClosing', go);
  state.address = '/projects';
  vi.advanceTimersByTime(1_000);
  expect(go).not.toHaveBeenCalled();
});
