import { afterEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { click } from '#app/ui/test-render.tsx';
import { DraftNotes } from './DraftNotes.tsx';
import { renderEditor, useFakeDraft } from './test-editor.tsx';

const question: Question = {
  questionId: '00000000-0000-4000-9000-000000000001',
  kind: 'file',
  text: 'Приложите решение',
  points: 2,
  maxBytes: 1_000,
  accept: [],
};
const published = { lifecycle: 'active', hasUnpublished: true } as const;

let shown: Awaited<ReturnType<typeof renderEditor>>;
const onPublished = vi.fn<() => void>();
afterEach(async () => {
  onPublished.mockReset();
  await shown.unmount();
});

function Notes({
  overrides,
  text,
  running,
}: {
  overrides: Partial<DraftEditor>;
  text: string;
  running: number;
}) {
  const draft = useFakeDraft([{ ...question, text }], overrides);
  return <DraftNotes draft={draft} runningAttempts={running} onPublished={onPublished} />;
}
const open = async (
  overrides: Partial<DraftEditor>,
  { text = 'Приложите решение', running = 0 } = {},
) => {
  shown = await renderEditor(<Notes overrides={overrides} text={text} running={running} />);
};
const words = () => shown.container.textContent ?? '';
const buttons = (name: string) =>
  [...shown.container.querySelectorAll('button')].filter(({ textContent }) => textContent === name);

test('edits of a published test are reported, and published after a note about running attempts', async () => {
  const publish = vi.fn<DraftEditor['publish']>(() => Promise.resolve());
  await open({ ...published, publish }, { running: 3 });
  expect(words()).toContain('Есть неопубликованные правки');
  await click(buttons('Опубликовать правки')[0]);
  expect(words()).toContain('3 попытки в работе: вопросы в них останутся прежними');
  expect(publish).not.toHaveBeenCalled();
  await click(buttons('Опубликовать правки')[1]);
  expect(publish).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(onPublished).toHaveBeenCalledOnce());
});

test('publishing requires a valid copy, and a refusal changes nothing', async () => {
  const publish = vi.fn<DraftEditor['publish']>(() =>
    Promise.reject(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '' })),
  );
  await open({ ...published, publish }, { text: '' });
  await click(buttons('Опубликовать правки')[0]);
  expect(words()).toContain('Вопрос 1: нет текста');
  expect(publish).not.toHaveBeenCalled();
  await shown.unmount();
  await open({ ...published, publish });
  await click(buttons('Опубликовать правки')[0]);
  await click(buttons('Опубликовать правки')[1]);
  await vi.waitFor(() => expect(words()).toContain('Сервер не отвечает'));
  expect(onPublished).not.toHaveBeenCalled();
});

test('discarding the edits asks first', async () => {
  const discard = vi.fn<DraftEditor['discard']>(() => Promise.resolve());
  await open({ ...published, discard });
  await click(buttons('Отменить правки…')[0]);
  expect(discard).not.toHaveBeenCalled();
  await click(buttons('Отменить правки')[0]);
  expect(discard).toHaveBeenCalledOnce();
});

test('an unpublished test shows nothing about publishing; refusals say where the edits are', async () => {
  await open({ state: { kind: 'refused', message: 'Слишком длинный текст.' } });
  expect(words()).not.toContain('неопубликованные');
  expect(words()).toContain('Сервер не принял правки: Слишком длинный текст. Они целы');
});
