import { expect, test } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { AuthPage } from './AuthPage.tsx';
import { LogoutModal } from './LogoutModal.tsx';

async function shownFor(
  waiting: number | null,
  running: string | null = null,
  unsaved = 0,
): Promise<string> {
  const nothing = () => undefined;
  const { container, unmount } = await render(
    <LogoutModal
      opened
      onClose={nothing}
      onLogout={nothing}
      onSave={async () => undefined}
      waiting={waiting}
      unsaved={unsaved}
      running={running}
    />,
  );
  const text = container.textContent.replaceAll('\u00A0', ' ');
  await unmount();
  return text;
}

test.each([
  [
    1,
    '1 ответ ещё не на сервере. Он останется на этом устройстве и уйдёт, когда вы снова войдёте здесь.',
  ],
  [
    3,
    '3 ответа ещё не на сервере. Они останутся на этом устройстве и уйдут, когда вы снова войдёте здесь.',
  ],
])('%i unsent: how many stay here, and when they are sent', async (waiting, sentence) => {
  expect(await shownFor(waiting)).toContain(sentence);
});

test.each([
  [
    0,
    1,
    '1 ответ ещё не на сервере и не на устройстве: он есть только на этой странице и пропадёт',
  ],
  [0, 3, '3 ответа ещё не на сервере и не на устройстве: они есть только на этой странице'],
  [null, 2, '2 ответа ещё не на сервере и не на устройстве'],
])(
  '%j on the device, %i in memory only: promises no retention and offers a file',
  async (waiting, unsaved, sentence) => {
    const text = await shownFor(waiting, null, unsaved);
    expect(text).toContain(sentence);
    expect(text).toContain('Сохранить ответы в файл');
    expect(text).not.toMatch(/останется|останутся/);
  },
);

test('the message counts stored answers and answers in memory separately', async () => {
  const text = await shownFor(2, null, 1);
  expect(text).toContain('2 ответа ещё не на сервере. Они останутся на этом устройстве');
  expect(text).toContain('1 ответ ещё не на сервере и не на устройстве');
  expect(await shownFor(2)).not.toContain('Сохранить ответы в файл');
});

test('unsent answers are not mentioned if there are none', async () => {
  const text = await shownFor(0, 'Законы Ньютона');
  expect(text).not.toContain('не на сервере');
  expect(text).toContain('Идёт тест «Законы Ньютона». Время идёт и после выхода');
});

test('a device that cannot be read is not called empty', async () => {
  const text = await shownFor(null);
  expect(text).toContain('В ней могут быть ответы, которых ещё нет на сервере');
  expect(text).not.toContain('Идёт тест');
});

test.each([true, false])('the next user sees a note on waiting answers: %s', async (hasUnsent) => {
  const { container, unmount } = await render(
    <AuthPage title="Вход" other="Нет учётной записи?" hasUnsent={hasUnsent}>
      <form />
    </AuthPage>,
  );
  expect(
    container.textContent.includes(
      'На этом устройстве есть неотправленные ответы. Они уйдут, когда войдёт тот, кто их дал.',
    ),
  ).toBe(hasUnsent);
  await unmount();
});
