import { expect, test, vi } from 'vitest';
import { fileRulesHint } from '#app/ui/forms/offered-files.ts';
import { AnswerFiles } from './AnswerFiles.tsx';
import { QuestionGrid } from './QuestionGrid.tsx';
import { TakingBar } from './TakingBar.tsx';
import { TakingHeader } from './TakingHeader.tsx';
import { Ticks } from './Ticks.tsx';
import { Announcer } from '#app/ui/Announcer.tsx';
import { click, render } from '#app/ui/test-render.tsx';
import { ShortcutsContext } from '#app/ui/shortcuts.ts';
import { useTakingKeys } from './use-taking-keys.ts';

const MINUTE = 60_000;
const marks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ answered: index < 2, marked: index === 1 }));

test('the time is announced politely, by a live region that is there before its first text', async () => {
  const { container, show, unmount } = await render(<Announcer words="" />);
  const place = container.querySelector('output');
  expect(place?.textContent).toBe('');
  await show(<Announcer words="Осталась 1 минута" />);
  expect(container.querySelector('output')).toBe(place);
  expect(place?.textContent).toBe('Осталась 1 минута');
  await unmount();
});

test.each([
  [24 * MINUTE + 51_000, '24:51 осталось', null],
  [42_000, '0:42 осталось', 'true'],
  [0, '0:00 время вышло', null],
  [-5, '0:00 время вышло', null],
])('with %d ms left the header reads %s', async (remainingMs, words, inverted) => {
  const { container, unmount } = await render(
    <TakingHeader
      remainingMs={remainingMs}
      title="Т"
      questions={marks(3)}
      current={0}
      sync={null}
    />,
  );
  expect(container.querySelector('[role=timer]')?.textContent).toBe(words);
  expect(container.querySelector('header')?.getAttribute('data-last-minute')).toBe(inverted);
  await unmount();
});

test('up to forty questions each has its tick, more share one bar', async () => {
  const { container, show, unmount } = await render(<Ticks questions={marks(40)} current={3} />);
  expect(container.querySelectorAll('[aria-hidden] > span')).toHaveLength(40);
  await show(<Ticks questions={marks(41)} current={3} />);
  expect(container.querySelector('[aria-hidden]')?.textContent).toBe('2 из 41');
  await unmount();
});

test('the name of a grid button includes its state', async () => {
  const chosen: number[] = [];
  const { container, unmount } = await render(
    <QuestionGrid questions={marks(3)} current={1} onSelect={(index) => chosen.push(index)} />,
  );
  const buttons = [...container.querySelectorAll('button')];
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Вопрос 1, есть ответ',
    'Вопрос 2, есть ответ, отмечен, сейчас здесь',
    'Вопрос 3, без ответа',
  ]);
  await click(buttons[2]);
  expect(chosen).toEqual([2]);
  await unmount();
});

test('the bar goes on, and finishes at the last question', async () => {
  const done: string[] = [];
  const bar = (current: number) => (
    <TakingBar
      current={current}
      total={3}
      onBack={() => done.push('back')}
      onNext={() => done.push('next')}
      onFinish={() => done.push('finish')}
      onOpenGrid={() => done.push('grid')}
    />
  );
  const { container, show, unmount } = await render(bar(0));
  // The list of keys has a button of its own.
  const buttons = () =>
    [...container.querySelectorAll('button')].filter(
      ({ textContent }) => !textContent?.includes('Клавиши'),
    );
  expect(buttons()[0]?.disabled).toBe(true);
  expect(buttons()[1]?.getAttribute('aria-label')).toBe('Вопрос 1 из 3. Все вопросы');
  await click(buttons()[1]);
  await click(buttons()[2]);
  await show(bar(2));
  expect(buttons()[2]?.textContent).toBe('Завершить');
  await click(buttons()[0]);
  await click(buttons()[2]);
  expect(done).toEqual(['grid', 'next', 'back', 'finish']);
  await unmount();
});

test('the rules of a file are shown as text', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  expect(fileRulesHint(['image/jpeg', 'application/pdf', word, '.odt'], 10 * 1024 * 1024)).toBe(
    'JPG, PDF, DOCX, ODT. До 10\u00a0МБ. Проверяет преподаватель.',
  );
  expect(fileRulesHint(['image/*', '.pdf'], 1024)).toMatch(/^Картинки, PDF\./);
});

test('a file is removed only after one question', async () => {
  const onRemove = vi.fn<() => void>();
  const { container, unmount } = await render(
    <AnswerFiles
      files={[{ id: 'f', name: 'reshenie.jpg', size: 2_516_582, mimeType: 'image/jpeg' }]}
      state="sending"
      progress={{ sentBytes: 1_572_864, totalBytes: 2_516_582 }}
      limits={{ accept: ['image/jpeg'], maxBytes: 10_485_760 }}
      labelledBy="q"
      onPick={() => {}}
      onRemove={onRemove}
    />,
  );
  expect(container.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')).toBe('63');
  await click(container.querySelector('[aria-label="Удалить файл"]'));
  expect(onRemove).not.toHaveBeenCalled();
  const buttons = [...container.querySelectorAll('[role=dialog] button')];
  await click(buttons.find((button) => button.textContent === 'Удалить'));
  expect(onRemove).toHaveBeenCalledOnce();
  await unmount();
});

function Keys({ pressed }: { pressed: string[] }) {
  useTakingKeys(
    {
      onDigit: (digit) => pressed.push(String(digit)),
      onNext: () => pressed.push('next'),
      onMark: () => pressed.push('mark'),
    },
    true,
  );
  return (
    <>
      <header>
        <button type="button" id="elsewhere">
          back
        </button>
      </header>
      <main>
        <input id="text" type="text" />
        <input id="radio" type="radio" />
        <button type="button">ok</button>
      </main>
    </>
  );
}

test('keys choose, mark and go on only in the question, and never during typing', async () => {
  const pressed: string[] = [];
  const setOn = () => undefined;
  const at = (isOn: boolean) => (
    <ShortcutsContext value={{ isOn, setOn }}>
      <Keys pressed={pressed} />
    </ShortcutsContext>
  );
  const { container, show, unmount } = await render(at(true));
  const type = (selector: string, key: string, extra: KeyboardEventInit = {}) =>
    container
      .querySelector(selector)
      ?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...extra }),
      );
  for (const key of ['2', 'м', 'M', 'Enter', '0']) type('#radio', key);
  expect(pressed).toEqual(['2', 'mark', 'mark', 'next']);
  for (const key of ['2', 'м', 'Enter']) type('#text', key);
  for (const key of ['2', 'м']) type('#elsewhere', key);
  type('main button', 'Enter');
  type('#radio', '3', { ctrlKey: true });
  type('#radio', '3', { repeat: true });
  expect(pressed).toHaveLength(4);
  await show(at(false));
  for (const key of ['2', 'м', 'Enter']) type('#radio', key);
  expect(pressed).toHaveLength(4);
  await unmount();
});
