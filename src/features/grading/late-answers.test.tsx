import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useState, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GradingEntry } from '#contract/grading.ts';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { DeleteAttempt } from './DeleteAttempt.tsx';
import { HeldView } from './HeldView.tsx';
import { MissingView } from './MissingView.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const KEY = '01900000-0000-7000-8000-000000000001';
const answer = (operationId: string, decision: 'accepted' | null) => ({
  operationId,
  questionId: KEY,
  number: 1,
  questionText: 'Что это?',
  answer: { questionId: KEY, kind: 'open', text: 'мост' },
  answerText: 'мост',
  writtenAt: null,
  seenServerAt: null,
  receivedAt: '2026-03-02T07:00:00.000Z',
  afterResult: false,
  decision,
});
const held = (...answers: ReturnType<typeof answer>[]) => ({
  attemptId: KEY,
  attemptNumber: 1,
  trial: false,
  userId: KEY,
  userName: 'Анна Кузнецова',
  groups: [],
  deadline: '2026-03-02T06:00:00.000Z',
  countsUntil: '2026-03-02T06:15:00.000Z',
  score: 1,
  scoreIfAccepted: 2,
  scoreIfRefused: 1,
  maxScore: 2,
  answers,
});
const missing = {
  attemptId: KEY,
  attemptNumber: 1,
  trial: false,
  userId: KEY,
  userName: 'Анна Кузнецова',
  end: 'closed',
  endedAt: '2026-03-02T06:15:00.000Z',
  answered: 3,
  totalQuestions: 5,
  missing: 2,
  missingAt: '2026-03-02T06:10:00.000Z',
  lastSeenAt: null,
  recoveredAt: null,
  stray: 0,
};

let shown: Rendered;
let replies: Record<string, unknown>;
/** Whether every change is refused. */
let fails = false;
beforeEach(() => {
  vi.mocked(call)
    .mockReset()
    .mockImplementation(async (route: Route) => {
      if (fails && route.method !== 'GET')
        throw new ApiFailure({ kind: 'refused', method: 'POST', url: '/', message: 'Не вышло' });
      return replies[route.name] ?? {};
    });
  fails = false;
});
afterEach(() => shown.unmount());

const words = () => shown.container.textContent.replaceAll('\u00A0', ' ');
const seen = (text: string) => act(() => vi.waitFor(() => expect(words()).toContain(text)));
const press = (label: string) =>
  click([...shown.container.querySelectorAll('button')].find((one) => one.textContent === label));
const sentTo = (name: string) =>
  vi.mocked(call).mock.calls.flatMap(([route, given]) => (route.name === name ? [given] : []));

async function open(content: ReactNode): Promise<void> {
  const device = { serverNow: () => Date.parse('2026-03-02T08:00:00Z'), timeZone: 'Europe/Moscow' };
  shown = await render(
    <DeviceContext value={device as unknown as DeviceServices}>
      <QueryClientProvider client={new QueryClient()}>{content}</QueryClientProvider>
    </DeviceContext>,
  );
}

test('late answers are called saved and not counted, and only those without a decision are decided', async () => {
  replies = {
    listTestHeld: { items: [held(answer('a', null), answer('b', 'accepted'))], total: 1 },
  };
  await open(<HeldView testId="t1" search={{}} />);
  await seen('Анна Кузнецова');
  expect(words()).toContain('Эти ответы сохранены и пока не засчитаны.');
  expect(words()).toContain('Без решения: 1 ответ');
  await press('Принять все…');
  expect(sentTo('decideTestHeld')).toEqual([]);
  await press('Принять все');
  expect(sentTo('decideTestHeld')).toEqual([
    { params: { id: 't1' }, body: { operationIds: ['a'], decision: 'accepted' } },
  ]);
});

test('another question does not open with the failure of the one before', async () => {
  replies = { listTestHeld: { items: [held(answer('a', null))], total: 1 } };
  await open(<HeldView testId="t1" search={{}} />);
  await seen('Анна Кузнецова');
  await press('Принять все…');
  fails = true;
  await press('Принять все');
  await seen('Не вышло');
  await press('Не сейчас');
  expect(words()).toContain('Не вышло');
  await press('Отклонить все…');
  await seen('Отклонить все поздние ответы?');
  expect(words()).not.toContain('Не вышло');
});

test('where nothing is held nothing is called not counted', async () => {
  replies = { listTestHeld: { items: [], total: 0 } };
  await open(<HeldView testId="t1" search={{}} />);
  await seen('Спорных поздних ответов нет');
  expect(words()).not.toContain('пока не засчитаны');
});

test('of answers that never arrived it says what is known, and where they will appear', async () => {
  replies = { listMissing: { items: [missing], total: 1 } };
  await open(<MissingView testId="t1" search={{}} />);
  await seen('Анна Кузнецова');
  expect(words()).toContain(
    'Ответы, которые дойдут после срока, не пропадут: они появятся здесь под «Поздние».',
  );
  expect(words()).toContain('На сервере 3 ответа из 5.');
  expect(words()).toContain('что у него 2 ответа; они не пришли.');
});

test('the deletion of an attempt says what stays, and deletes that one alone', async () => {
  replies = {};
  const onDeleted = vi.fn<() => void>();
  const entry = { attemptId: KEY, attemptNumber: 2, userName: 'Анна Кузнецова' } as GradingEntry;
  await open(<DeleteAttempt opened onClose={() => {}} entry={entry} onDeleted={onDeleted} />);
  expect(words()).toContain('Анна Кузнецова, попытка 2. Она исчезнет из результатов');
  expect(words()).toContain(
    'Ответы и оценки останутся на сервере: сразу после удаления попытку можно вернуть.',
  );
  expect(sentTo('deleteAttempt')).toEqual([]);
  await press('Удалить');
  expect(sentTo('deleteAttempt')).toEqual([{ params: { attemptId: KEY } }]);
  expect(onDeleted).toHaveBeenCalledOnce();
});

/** The question, opened by a button. */
function RepeatedDeletion() {
  const [isOpen, setOpen] = useState(false);
  const entry = { attemptId: KEY, attemptNumber: 2, userName: 'Анна Кузнецова' } as GradingEntry;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Спросить
      </button>
      <DeleteAttempt
        opened={isOpen}
        onClose={() => setOpen(false)}
        entry={entry}
        onDeleted={() => {}}
      />
    </>
  );
}

test('the question about a deletion opens again without the former failure', async () => {
  replies = {};
  fails = true;
  await open(<RepeatedDeletion />);
  await press('Спросить');
  await press('Удалить');
  await seen('Не вышло');
  await press('Оставить');
  await press('Спросить');
  await seen('Удалить попытку?');
  expect(words()).not.toContain('Не вышло');
});
