import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView, Stage } from '#app/outbox/types.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { FinishModal } from './FinishModal.tsx';

const AT = Date.parse('2026-05-22T08:22:00Z');
const device = { serverNow: () => AT } as DeviceServices;

const viewAt = (stage: Stage) =>
  ({
    deadline: AT + 60_000,
    answers: [{ questionId: 'q1', answered: true, marked: false, stage }],
  }) as unknown as AttemptView;

async function openAt(stage: Stage) {
  const onClose = vi.fn<() => void>();
  const onFinish = vi.fn<() => void>();
  const sheet = (view: AttemptView) => (
    <DeviceContext value={device}>
      <FinishModal
        view={view}
        opened
        onClose={onClose}
        onSelect={() => {}}
        onFinish={onFinish}
        isFinishing={false}
      />
    </DeviceContext>
  );
  const { container, show, unmount } = await render(sheet(viewAt(stage)));
  const buttons = () => [...container.querySelectorAll<HTMLElement>('.mantine-Button-root')];
  return {
    container,
    buttons,
    onClose,
    onFinish,
    unmount,
    become: (next: Stage) => show(sheet(viewAt(next))),
  };
}

test.each([
  ['an answer reaches the server', 'sending', 'server'],
  ['an answer typed last is stored', 'server', 'device'],
] as const)('when %s, each button keeps its place and its action', async (_, at, then) => {
  const { buttons, become, onClose, onFinish, unmount } = await openAt(at);
  const before = buttons();
  const words = before.map((button) => button.textContent);
  await become(then);
  expect(buttons()).toEqual(before);
  expect(before.map((button) => button.textContent)).toEqual(words);
  await click(before[words.indexOf('Вернуться к вопросам')]);
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(onFinish).not.toHaveBeenCalled();
  await click(before[words.indexOf('Завершить тест')]);
  expect(onFinish).toHaveBeenCalledTimes(1);
  await unmount();
});

test.each([
  ['something is unfinished', 'sending', 'Вернуться к вопросам'],
  ['nothing is left', 'server', 'Завершить тест'],
] as const)('while %s (%s) «%s» is filled', async (_, at, filled) => {
  const { buttons, unmount } = await openAt(at);
  const shown = buttons().filter((button) => button.dataset['variant'] === 'filled');
  expect(shown.map((button) => button.textContent)).toEqual([filled]);
  await unmount();
});
