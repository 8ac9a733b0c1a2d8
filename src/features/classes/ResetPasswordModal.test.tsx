import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { GroupMember } from '#contract/groups.ts';
import { call } from '#app/api/call.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { ResetPasswordModal } from './ResetPasswordModal.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const member = (userName: string, mayResetPassword = true) =>
  ({ userId: userName, userName, mayResetPassword }) as GroupMember;

async function open(...members: GroupMember[]) {
  vi.mocked(call).mockReset();
  const onClose = vi.fn<() => void>();
  const { container, unmount } = await render(
    <QueryClientProvider client={new QueryClient()}>
      <ResetPasswordModal groupId="g" members={members} onClose={onClose} onReset={() => {}} />
    </QueryClientProvider>,
  );
  const press = (name: string) =>
    click([...container.querySelectorAll('button')].find((one) => one.textContent === name));
  return { words: container.textContent, press, onClose, unmount };
}

test.each([
  ['Сбросить пароль: Анна?', [member('Анна')]],
  ['Сбросить пароли 2 ученикам?', [member('Анна'), member('Борис')]],
])('%s: unsent answers are not lost, and nothing is reset unasked', async (title, members) => {
  const { words, press, onClose, unmount } = await open(...members);
  expect(words.replaceAll('\u00A0', ' ')).toContain(title);
  expect(words).toContain('Неотправленные ответы на них не пропадут: они уйдут после входа.');
  await press('Оставить');
  expect(onClose).toHaveBeenCalledOnce();
  expect(call).not.toHaveBeenCalled();
  await unmount();
});

test('an account of another class is not reset here', async () => {
  const { words, press, unmount } = await open(member('Анна', false));
  expect(words).toContain('Пароль сбросит администратор');
  expect(words).not.toContain('Неотправленные ответы');
  await press('Понятно');
  expect(call).not.toHaveBeenCalled();
  await unmount();
});
