import { expect, test } from 'vitest';
import { AnswerStateLine, AnswerStateRow } from './AnswerStateLine.tsx';
import { render } from '#app/ui/test-render.tsx';

/** The labels at an answer, the labels in a list, and the icon's place. */
const STATES = [
  ['none', '', 'Без ответа', null],
  ['device', 'Сохранено на устройстве 10:42', 'На устройстве', 'device'],
  ['sending', 'Отправляется', 'Отправляется', 'sending'],
  ['server', 'Сохранено на сервере 10:42', 'На сервере', 'server'],
  [
    'held',
    'Ждёт решения преподавателя, сохранено на сервере 10:42',
    'Ждёт решения преподавателя',
    null,
  ],
  ['late', 'Получено позже', 'Получено позже', null],
  ['setAside', 'Сервер не принял этот ответ. Он сохранён на устройстве', 'Не принят', null],
  [
    'unsaved',
    'Не удалось сохранить на устройстве. Не уходите с вопроса, отправляем сразу',
    'Не сохранён',
    null,
  ],
  ['locked', 'Ответы закрыты для правки', 'Ответы закрыты для правки', null],
] as const;

test.each(STATES)('an answer that is «%s» says where it is', async (state, line, short, stage) => {
  const { container, show, unmount } = await render(<AnswerStateLine state={state} at="10:42" />);
  const trail = () => container.querySelector('[data-stage]')?.getAttribute('data-stage') ?? null;
  expect(container.textContent).toBe(line);
  expect(trail()).toBe(stage);
  await show(<AnswerStateRow label={3} state={state} />);
  expect(container.textContent).toBe(`3${short}`);
  await unmount();
});

test('a file that is being sent says how much of it has arrived', async () => {
  const progress = { sentBytes: 1_572_864, totalBytes: 2_516_582 };
  const { container, unmount } = await render(
    <AnswerStateLine state="sending" progress={progress} />,
  );
  expect(container.textContent.replaceAll('\u00A0', ' ')).toBe('Отправляется, 1,5 из 2,4 МБ');
  await unmount();
});
