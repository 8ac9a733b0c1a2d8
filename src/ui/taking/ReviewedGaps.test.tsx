import { afterEach, expect, test } from 'vitest';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { ReviewedGaps, type ShownReview } from './ReviewedGaps.tsx';

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

async function row(part: Partial<ShownReview>) {
  const gap = { gapId: '1', answer: 'Рим', share: 1, accepted: ['Рим', 'Roma'], feedback: '' };
  shown = await render(
    <ReviewedGaps gaps={[{ ...gap, ...part }]} owner="own" renderText={(text) => text} />,
  );
  const item = shown.container.querySelector('li');
  return [item?.textContent, item?.dataset['tone']];
}

test.each([
  [{}, '1РимВаш ответ, верно', 'ok'],
  [
    { answer: 'Нил', share: 0, feedback: 'Нет' },
    '1НилВаш ответ, неверноРим; RomaВерный ответНет',
    'bad',
  ],
  [{ answer: 'Roma', share: 0.5 }, '1RomaВаш ответ, верно частичноРим; RomaВерный ответ', 'ink'],
  [{ answer: null, share: 0 }, '1Не заполненРим; RomaВерный ответ', undefined],
  [{ share: null, accepted: [] }, '1РимВаш ответ', 'ink'],
])('%j', async (part, text, tone) => {
  expect(await row(part)).toEqual([text, tone]);
});
