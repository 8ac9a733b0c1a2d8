import { expect, test } from 'vitest';
import { createPageClock } from './page-clock.ts';

/** A page that can be hidden. */
function createPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  return {
    clock: createPageClock(page as unknown as Document),
    show: (state: 'visible' | 'hidden') => {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
    },
    emit: (name: string) => page.dispatchEvent(new Event(name)),
  };
}

test('a device cannot sleep under a page that is shown all the time', () => {
  const { clock, show, emit } = createPage();
  const look = () => clock.mayHaveSlept?.();
  expect([look(), look()], 'nothing is known of the time before the first look').toEqual([
    true,
    false,
  ]);
  show('hidden');
  expect([look(), look()]).toEqual([true, true]);
  show('visible');
  expect([look(), look()]).toEqual([true, false]);
  show('hidden');
  show('visible');
  expect([look(), look()], 'hidden between two looks').toEqual([true, false]);
  emit('freeze');
  expect([look(), look()]).toEqual([true, false]);
});
