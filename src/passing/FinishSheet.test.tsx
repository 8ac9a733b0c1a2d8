import { expect, test, vi } from 'vitest';
import { DeviceContext, type Device } from '#app/offline/device-context.ts';
import type { AttemptView, Stage } from '#app/outbox/types.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { FinishSheet } from './FinishSheet.tsx';

const AT = Date.parse('2026-05-22T08:22:00Z');
const device = { serverNow: () => AT } as Device;

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
      <FinishSheet
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
] as const)('when %s, each button stays where it is and does what it said', async (_, at, then) => {
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
