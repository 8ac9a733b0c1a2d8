import { expect, test, vi } from 'vitest';
import { GuardDialog } from './GuardDialog.tsx';
import { render } from '#app/ui/test-render.tsx';

test('staying restores the focus before the question', async () => {
  const form = (isAsking: boolean) => (
    <>
      <input id="typed" />
      {isAsking && (
        <GuardDialog
          title="Закрыть без сохранения?"
          message="Введённое пропадёт."
          stay="Остаться"
          leave="Закрыть"
          onStay={() => undefined}
          onLeave={() => undefined}
        />
      )}
    </>
  );
  const { container, show, unmount } = await render(form(false));
  const field = container.querySelector<HTMLElement>('#typed');
  field?.focus();
  await show(form(true));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Остаться'));
  await show(form(false));
  expect(document.activeElement).toBe(field);
  await unmount();
});
