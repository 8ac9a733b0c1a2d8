import { expect, test } from 'vitest';
import { type AiEvent, draftQuestions } from '#contract/ai.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { Watcher } from '#app/api/watch.ts';
import { newQuestion } from '#domain/new-question.ts';
import { readDraftStream } from './read-draft-stream.ts';

const input = {
  body: {
    theme: '' as const,
    difficulty: '' as const,
    topic: 'Сила',
    wishes: '',
    source: '',
    kinds: ['open' as const],
    count: 1,
    existing: [],
  },
};
const question = newQuestion('open', () => '00000000-0000-4000-8000-000000000001');

async function readEvents(events: readonly AiEvent[], after?: () => never) {
  const seen: string[] = [];
  const watch = (async (
    _route: unknown,
    _input: unknown,
    { onEvent }: { onEvent: (event: AiEvent) => void },
  ) => {
    for (const event of events) onEvent(event);
    after?.();
  }) as unknown as Watcher;
  const ending = await readDraftStream(watch, draftQuestions, input, {
    onQuestion: () => seen.push('question'),
    onRejected: ({ reason }) => seen.push(reason),
    onProgress: (characters) => seen.push(String(characters)),
    signal: new AbortController().signal,
  });
  return { seen, ending };
}

test('questions, invalid ones, progress and the end are reported as they arrive', async () => {
  expect(
    await readEvents([
      { kind: 'progress', characters: 12 },
      { kind: 'question', question },
      { kind: 'rejected', reason: 'нет текста', raw: '{}' },
      { kind: 'done', questions: 1, cut: true },
    ]),
  ).toEqual({ seen: ['12', 'question', 'нет текста'], ending: { kind: 'done', cut: true } });
});

test('a failure is reported with the server’s message', async () => {
  const failed = {
    kind: 'failed' as const,
    failure: 'timeout' as const,
    message: 'Провайдер молчит',
    retryAfterSeconds: null,
  };
  expect((await readEvents([failed])).ending).toEqual({
    kind: 'failed',
    message: 'Провайдер молчит',
  });
});

test('a connection that ends without a final event is a failure; earlier events stay', async () => {
  const { seen, ending } = await readEvents([{ kind: 'question', question }]);
  expect(seen).toEqual(['question']);
  expect(ending).toMatchObject({ kind: 'failed', message: expect.stringContaining('прервалась') });
});

test('a failed call is reported with a message', async () => {
  const { ending } = await readEvents([], () => {
    throw new ApiFailure({ kind: 'refused', method: 'POST', url: '', message: 'Уже пишутся два' });
  });
  expect(ending).toEqual({ kind: 'failed', message: 'Уже пишутся два' });
});
