import { expect, test } from 'vitest';
import { ReviewedChoices, ReviewedOrder } from './AnswerReview.tsx';
import { render } from '#app/ui/test-render.tsx';

const options = [
  { id: 'a', text: 'Паскаль', isRight: false, feedback: 'Это давление' },
  { id: 'b', text: 'Ньютон', isRight: true, feedback: 'Второй закон' },
  { id: 'c', text: 'Джоуль', isRight: false, feedback: 'Это работа' },
];

async function shown(known: boolean) {
  const { container } = await render(
    <ReviewedChoices
      options={options.map((option) =>
        known ? option : { ...option, isRight: null, feedback: undefined },
      )}
      chosen={['a']}
      multiple={false}
      owner="own"
      renderText={(text) => text}
    />,
  );
  return [...container.querySelectorAll('li')].map((row) => row.textContent);
}

test('what the teacher wrote stands at the option chosen and at the right one, at no other', async () => {
  expect(await shown(true)).toEqual([
    'ПаскальВаш ответ, неверноЭто давление',
    'НьютонВерный ответВторой закон',
    'Джоуль',
  ]);
});

test('options show no verdict while the key is unknown', async () => {
  expect(await shown(false)).toEqual(['ПаскальВаш ответ', 'Ньютон', 'Джоуль']);
});

const RIGHT = ['i0', 'i1', 'i2'];
const rulers = ['Рюрик', 'Ольга', 'Ярослав'].map((text, index) => ({ itemId: `i${index}`, text }));

test.each([
  [
    'a wrong order stands beside the right one',
    ['i1', 'i0', 'i2'],
    true,
    'Ваш ответ1Ольга2Рюрик3ЯрославВерный порядок1Рюрик2Ольга3Ярослав',
  ],
  ['a right one stands alone', RIGHT, true, 'Ваш ответ, верно1Рюрик2Ольга3Ярослав'],
  ['while the key is unknown there is no verdict', RIGHT, false, 'Ваш ответ1Рюрик2Ольга3Ярослав'],
  ['without an answer the right order is shown', [], true, 'Верный порядок1Рюрик2Ольга3Ярослав'],
  ['without an answer and a key the items stand as they stood', [], false, '1Рюрик2Ольга3Ярослав'],
])('%s', async (_, order, isKey, text) => {
  const { container, unmount } = await render(
    <ReviewedOrder
      items={rulers}
      order={order}
      isKey={isKey}
      owner="own"
      renderText={(words) => words}
    />,
  );
  const texts = [...container.querySelectorAll('p, li')].map((part) => part.textContent);
  expect(texts.join('')).toBe(text);
  await unmount();
});
