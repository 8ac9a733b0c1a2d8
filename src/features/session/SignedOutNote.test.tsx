import { expect, test } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { SignedOutNote } from './SignedOutNote.tsx';

test.each([
  ['expired', /^Срок входа истёк/],
  ['unauthorized', /^Этот вход завершён: его закрыли на другом устройстве или сменили пароль/],
  ['blocked', /^Учётная запись заблокирована/],
  ['logout', /^$/],
  ['elsewhere', /^$/],
] as const)('after an end by %s the sign-in says why', async (reason, words) => {
  const { container, unmount } = await render(<SignedOutNote reason={reason} />);
  expect(container.textContent).toMatch(words);
  await unmount();
});
