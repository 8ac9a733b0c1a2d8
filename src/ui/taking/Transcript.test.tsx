import { afterEach, expect, test } from 'vitest';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { Passage } from './Passage.tsx';
import { Transcript } from './Transcript.tsx';

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
});

test('a transcript is folded, named, and in the language of the test', async () => {
  shown = await render(
    <ContentLanguage value="en">
      <Transcript of={{ transcript: 'The train leaves at nine' }} />
    </ContentLanguage>,
  );
  const details = shown.container.querySelector('details');
  expect(details?.open).toBe(false);
  const summary = details?.querySelector('summary');
  expect(summary?.textContent).toBe('Текст записи');
  expect(summary?.closest('[lang]')?.getAttribute('lang')).not.toBe('en');
  expect(details?.querySelector('[lang=en]')?.textContent).toBe('The train leaves at nine');
});

test.each([undefined, '', '  '])('no words, no transcript: %j', async (transcript) => {
  shown = await render(<Transcript of={{ transcript }} />);
  expect(shown.container.querySelector('details')).toBeNull();
});

test('a shared text has its transcript in it; the teacher learns that students do not get it', async () => {
  const passage = { text: 'Послушайте', transcript: 'Слова' };
  shown = await render(<Passage passage={passage} keyed />);
  expect(
    [...shown.container.querySelectorAll('summary')].map((one) => one.textContent?.trim()),
  ).toEqual(['Общий текст', 'Текст записи (ученикам не показан)']);
});
