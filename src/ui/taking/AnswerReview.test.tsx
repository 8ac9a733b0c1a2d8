import { expect, test } from 'vitest';
import { ReviewedChoices } from './AnswerReview.tsx';
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
      whose="own"
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
