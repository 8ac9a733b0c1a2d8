import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView, QuestionView, Stage } from '#app/outbox/types.ts';
import { click, render } from '#app/ui/test-render.tsx';
import type { FilePick } from '#app/questions/file/file-picks.ts';
import { FinishModal } from './FinishModal.tsx';

const AT = Date.parse('2026-05-22T08:22:00Z');
const device = { serverNow: () => AT } as DeviceServices;

const viewAt = (stage: Stage, leftMs = 60_000) =>
  ({
    deadline: AT + leftMs,
    answers: [{ questionId: 'q1', answered: true, marked: false, stage }],
  }) as unknown as AttemptView;

async function openAt(stage: Stage, picked: readonly FilePick[] = [], leftMs = 60_000) {
  const onClose = vi.fn<() => void>();
  const onFinish = vi.fn<() => void>();
  const sheet = (view: AttemptView, picks: readonly FilePick[], opened = true) => (
    <DeviceContext value={device}>
      <FinishModal
        view={view}
        picks={picks}
        opened={opened}
        onClose={onClose}
        onSelect={() => {}}
        onFinish={onFinish}
        isFinishing={false}
      />
    </DeviceContext>
  );
  const { container, show, unmount } = await render(sheet(viewAt(stage, leftMs), picked));
  const buttons = () => [...container.querySelectorAll<HTMLElement>('.mantine-Button-root')];
  return {
    container,
    buttons,
    onClose,
    onFinish,
    unmount,
    become: (next: Stage) => show(sheet(viewAt(next), picked)),
    showPicks: (picks: readonly FilePick[], opened = true) =>
      show(sheet(viewAt(stage), picks, opened)),
  };
}

test.each([
  ['an answer reaches the server', 'sending', 'server'],
  ['an answer typed last is stored', 'server', 'device'],
] as const)('when %s, each button retains place and action', async (_, at, then) => {
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

const pick = (step: FilePick['step']): FilePick => ({
  pickId: 1,
  questionId: 'q1',
  name: 'решение.jpg',
  size: 1,
  step,
  problem: step === 'failed' ? 'Файл не читается.' : null,
});

test('while a file is being read waiting for it is filled, and nothing else', async () => {
  const { buttons, unmount } = await openAt('sending', [pick('reading')]);
  const shown = buttons().filter((button) => button.dataset['variant'] !== 'default');
  expect(shown.map((button) => button.textContent)).toEqual(['Дождаться и завершить']);
  await unmount();
});

const named = (buttons: HTMLElement[], words: string) =>
  buttons.find((button) => button.textContent === words);

test('a file that is still being read is named, and the finish waits for it or goes without it', async () => {
  const { container, buttons, onFinish, showPicks, unmount } = await openAt('server', [
    pick('reading'),
  ]);
  expect(container.textContent).toContain('Ещё читается файл «решение.jpg» (вопрос 1).');
  expect(named(buttons(), 'Завершить тест')).toBeUndefined();
  await click(named(buttons(), 'Дождаться и завершить'));
  expect(onFinish).not.toHaveBeenCalled();
  await showPicks([pick('storing')]);
  expect(onFinish).not.toHaveBeenCalled();
  await showPicks([]);
  expect(onFinish).toHaveBeenCalledOnce();
  await unmount();
});

test('the finish without the file does not wait', async () => {
  const { buttons, onFinish, unmount } = await openAt('server', [pick('reading')]);
  await click(named(buttons(), 'Завершить без файла'));
  expect(onFinish).toHaveBeenCalledOnce();
  await unmount();
});

test('a file that could not be read while the finish waited is reported, and nothing is finished', async () => {
  const { container, buttons, onFinish, showPicks, unmount } = await openAt('server', [
    pick('reading'),
  ]);
  await click(named(buttons(), 'Дождаться и завершить'));
  await showPicks([pick('failed')]);
  expect(onFinish).not.toHaveBeenCalled();
  expect(container.textContent).toContain('Не сдан файл «решение.jpg» (вопрос 1).');
  await unmount();
});

test('a closed dialog no longer waits for the file', async () => {
  const { buttons, onFinish, showPicks, unmount } = await openAt('server', [pick('reading')]);
  await click(named(buttons(), 'Дождаться и завершить'));
  await showPicks([pick('reading')], false);
  await showPicks([], false);
  await showPicks([]);
  expect(onFinish).not.toHaveBeenCalled();
  await unmount();
});

test('no button moves when the file has been read', async () => {
  const { buttons, showPicks, unmount } = await openAt('server', [pick('reading')]);
  const before = buttons();
  await showPicks([]);
  expect(buttons()).toEqual(before);
  expect(named(buttons(), 'Завершить тест')).toBe(before.at(-1));
  await unmount();
});

test.each(['device', 'sending', 'unsaved'] as const)(
  'an answer that the server does not have is listed before the finish (%s)',
  async (stage) => {
    const { container, unmount } = await openAt(stage);
    expect(container.textContent).toContain('Ещё на устройстве: 1 ответ');
    expect(container.textContent).toContain('Завершить можно и сейчас: ответы уйдут сами');
    expect(container.textContent).not.toContain('все ответы на сервере');
    await unmount();
  },
);

test('an answer that the server refused is listed, and no network is promised to bring it', async () => {
  const { container, unmount } = await openAt('setAside');
  expect(container.textContent).toContain('Сервер не принял: 1 ответ');
  expect(container.textContent).toContain('Вопрос 1');
  expect(container.textContent).not.toContain('все ответы на сервере');
  expect(container.textContent).not.toContain('уйдут сами');
  await unmount();
});

test.each(['server', 'held'] as const)(
  'when all is answered and delivered (%s) it says so',
  async (stage) => {
    const { container, unmount } = await openAt(stage);
    expect(container.textContent).toContain('На все вопросы есть ответ, и все ответы на сервере.');
    await unmount();
  },
);

test.each(['device', 'sending', 'unsaved'] as const)(
  'an answer that waits (%s) is listed, and the finish may go before it',
  async (stage) => {
    const { container, unmount } = await openAt(stage);
    const words = container.textContent.replaceAll('\u00A0', ' ');
    expect(words).toContain('Ещё на устройстве: 1 ответ');
    expect(words).toContain('Вопрос 1. Завершить можно и сейчас: ответы уйдут сами, когда');
    expect(words.includes('До этого не закрывайте страницу')).toBe(stage === 'unsaved');
    expect(words).not.toContain('все ответы на сервере');
    await unmount();
  },
);

test.each([
  [60_000, 'Осталось 1:00. После завершения изменить ответы нельзя.'],
  [0, 'После завершения изменить ответы нельзя.'],
])('with %d ms left it says that nothing can be changed afterwards', async (leftMs, words) => {
  const { container, unmount } = await openAt('server', [], leftMs);
  expect(container.textContent).toContain(words);
  expect(container.textContent.includes('Осталось')).toBe(leftMs > 0);
  await unmount();
});

async function openOver(answers: Partial<QuestionView>[], picks: readonly FilePick[] = []) {
  const calls: string[] = [];
  const view = {
    deadline: AT + 60_000,
    answers: answers.map((one, index) => ({
      questionId: `q${index + 1}`,
      answered: true,
      marked: false,
      stage: 'server',
      ...one,
    })),
  } as unknown as AttemptView;
  const { container } = await render(
    <DeviceContext value={device}>
      <FinishModal
        view={view}
        picks={picks}
        opened
        onClose={() => calls.push('close')}
        onSelect={(index) => calls.push(`question ${index + 1}`)}
        onFinish={() => {}}
        isFinishing={false}
      />
    </DeviceContext>,
  );
  const words = container.textContent.replaceAll('\u00A0', ' ');
  const links = () => [...container.querySelectorAll('[aria-label^="К вопросу"]')];
  return { words, links, calls };
}

test('questions without an answer are listed before the finish, and each leads to itself', async () => {
  const { words, links, calls } = await openOver([{}, { answered: false }, { answered: false }]);
  expect(words).toContain('Без ответа: 2 вопроса');
  expect(words).not.toContain('На все вопросы есть ответ');
  expect(words).not.toContain('Отмечен');
  expect(links().map(({ textContent }) => textContent)).toEqual(['2', '3']);
  await click(links()[1]);
  expect(calls).toEqual(['close', 'question 3']);
});

test('marked questions are listed before the finish', async () => {
  const { words, links } = await openOver([{}, { marked: true }]);
  expect(words).toContain('Отмечен: 1 вопрос');
  expect(words).not.toContain('Без ответа');
  expect(links().map(({ textContent }) => textContent)).toEqual(['2']);
});

test('where all is done nothing else is listed', async () => {
  const { words, links } = await openOver([{}, {}]);
  for (const other of ['Без ответа', 'Отмечен', 'Сервер не принял', 'Ещё на устройстве', 'Файл'])
    expect(words).not.toContain(other);
  expect(links()).toEqual([]);
});

test('one answer in memory alone among others forbids closing the page before it is sent', async () => {
  const { words } = await openOver([{ stage: 'device' }, { stage: 'unsaved' }]);
  expect(words).toContain('До этого не закрывайте страницу.');
});

test('a file that is still being read is not called lost', async () => {
  const { words } = await openOver([{}], [pick('reading')]);
  expect(words).not.toContain('Файл не сдан');
});

test('a finish that waited for a failed file must be requested again', async () => {
  const { buttons, onFinish, showPicks, unmount } = await openAt('server', [pick('reading')]);
  await click(named(buttons(), 'Дождаться и завершить'));
  await showPicks([pick('failed')]);
  await showPicks([]);
  expect(onFinish).not.toHaveBeenCalled();
  await unmount();
});

test('the button that waits for a file is out of sight once it has been read', async () => {
  const { buttons, showPicks, unmount } = await openAt('server', [pick('reading')]);
  const wait = named(buttons(), 'Дождаться и завершить');
  expect(wait?.style.visibility).toBe('visible');
  await showPicks([]);
  expect(wait?.style.visibility).toBe('hidden');
  await unmount();
});
