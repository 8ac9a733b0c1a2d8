import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { act } from 'react';
import { expect, onTestFinished, vi } from 'vitest';
import type { StudentQuestion } from '#contract/questions.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import type { SessionStore } from '#app/lib/session/session-store.ts';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
// The parts that the page loads after its first question are loaded from the beginning.
import '#app/ui/taking/TakingShortcuts.tsx';
import './AfterFinish.tsx';
import './QuestionsAside.tsx';
import './TakingDialogs.tsx';
import { Taking } from './Taking.tsx';

export const AT = Date.parse('2026-05-22T08:22:00Z');

const QUESTIONS: readonly StudentQuestion[] = [
  {
    questionId: 'q1',
    kind: 'variant',
    text: 'Кто открыл закон?',
    points: 1,
    multiple: false,
    options: [
      { optionId: 'o1', text: 'Паскаль' },
      { optionId: 'o2', text: 'Ньютон' },
    ],
  },
  { questionId: 'q2', kind: 'open', text: 'Чему равно g?', points: 1, input: 'line' },
  { questionId: 'q3', kind: 'open', text: 'Объясните почему.', points: 1, input: 'line' },
];

export const answerView = (questionId: string, changes: Partial<QuestionView> = {}) =>
  ({
    questionId,
    answer: null,
    answered: false,
    stage: 'none',
    at: null,
    marked: false,
    receipt: null,
    refusal: null,
    upload: null,
    ...changes,
  }) satisfies QuestionView;

/** A running attempt of three questions: a choice and two typed answers. */
export const takingView = (changes: Partial<AttemptView> = {}) =>
  ({
    attemptId: 'a1',
    testId: 't1',
    owner: 'anna',
    title: 'Законы Ньютона',
    attemptNumber: 1,
    attemptsCount: 2,
    stream: 's1',
    epoch: 1,
    state: 'running',
    readOnly: null,
    startedAt: AT,
    deadline: AT + 1_800_000,
    countsUntil: AT + 2_700_000,
    finishedAt: null,
    remainingMs: 1_800_000,
    now: AT,
    questions: QUESTIONS,
    head: 1,
    answers: ['q1', 'q2', 'q3'].map((questionId) => answerView(questionId)),
    lastQuestionId: null,
    counts: {
      total: 3,
      answered: 0,
      marked: 0,
      waiting: 0,
      sending: 0,
      setAside: 0,
      unsaved: 0,
      broken: 0,
    },
    begin: null,
    finishWaits: false,
    finishRefusal: null,
    sync: { kind: 'delivered', count: 0 },
    language: undefined,
    ...changes,
  }) satisfies AttemptView;

/** An outbox that stores at once and records its calls. */
function createRecordingOutbox() {
  const calls: string[] = [];
  let sequence = 1;
  const write = (name: string) =>
    vi.fn(async (...args: unknown[]) => {
      calls.push([name, ...args].map((one) => JSON.stringify(one)).join(' '));
    });
  const outbox = {
    answer: vi.fn<DeviceServices['outbox']['answer']>(async (_attemptId, answer) => {
      calls.push(`answer ${answer.questionId}`);
      sequence += 1;
      return { operationId: String(sequence), stream: 's1', sequence, saved: true };
    }),
    noteTyped: vi.fn<DeviceServices['outbox']['noteTyped']>(),
    finish: vi.fn<(attemptId: string, reason: string) => Promise<void>>(async (_id, reason) => {
      calls.push(`finish ${reason}`);
    }),
    handovers: async () => ({ make: async () => null, apply: async () => null }),
    exportUnsent: vi.fn<(owner: string) => Promise<string>>(async (owner) => {
      calls.push(`export ${owner}`);
      return '{}';
    }),
    setMark: write('mark'),
    setLastQuestion: write('last'),
    begins: async () => ({ ask: async () => undefined }),
    claimTab: vi.fn<() => Promise<void>>(async () => undefined),
    releaseTab: vi.fn<() => void>(),
    attempt: async () => null,
    subscribe: () => () => undefined,
    serverNow: () => AT,
  };
  return { calls, outbox };
}

/** The router at the test's page. */
async function openRouter() {
  window.history.replaceState({}, '', '/tests/my');
  const history = createBrowserHistory();
  onTestFinished(() => history.destroy());
  const root = createRootRoute();
  const tests = createRoute({ getParentRoute: () => root, path: '/tests/$page' });
  const router = createRouter({ routeTree: root.addChildren([tests]), history });
  await router.load();
  await router.navigate({ href: '/tests/t1' });
  history.flush();
  return router;
}

/** Reads and uses the page as a person does. */
function createPageActions(container: Element) {
  const plain = (element: Element | null) => (element?.textContent ?? '').replaceAll('\u00A0', ' ');
  const dialog = () => container.querySelector('[role=dialog]');
  /** Within the open dialog, else on the page. */
  const button = (name: string) =>
    [...(dialog() ?? container).querySelectorAll('button')].find(
      (one) => one.textContent === name || one.getAttribute('aria-label') === name,
    );
  const until = waitForShown;
  return {
    until,
    button,
    dialog,
    whole: () => plain(container),
    dialogText: () => plain(dialog()),
    heading: () => container.querySelector<HTMLElement>('h1'),
    field: () => container.querySelector<HTMLInputElement>('input[type=text]'),
    press: async (name: string) => {
      await until(() => expect(button(name), name).toBeDefined());
      await click(button(name));
    },
    /** A key without a field, as after the page was opened. */
    key: (key: string, more: KeyboardEventInit = {}) =>
      act(async () => {
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
        );
      }),
    type: (text: string) =>
      act(async () => {
        const field = container.querySelector<HTMLInputElement>('input[type=text]');
        if (!field) throw new Error('there is no field');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
          field,
          text,
        );
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
  };
}

/** The page of an attempt over an outbox that stores at once and records its calls. */
export async function openTaking(given: Partial<AttemptView> = {}, signedIn = false) {
  const { calls, outbox } = createRecordingOutbox();
  let now = AT;
  const device = {
    outbox,
    serverNow: () => now,
    timeZone: 'Europe/Moscow',
    storage: { durable: true },
  } as unknown as DeviceServices;
  const session = { user: { userName: 'Анна' } };
  const store = {
    subscribe: () => () => undefined,
    current: () => session,
  } as unknown as SessionStore;
  const router = await openRouter();
  const client = new QueryClient();
  const local = { getItem: () => null, setItem: () => undefined };
  const onLeave = vi.fn<() => void>();
  const page = (view: AttemptView) => (
    <RouterContextProvider router={router}>
      <QueryClientProvider client={client}>
        <SessionContext value={store}>
          <DeviceContext value={device}>
            <Taking
              view={view}
              signedIn={signedIn}
              local={local}
              renderSignIn={({ opened, onClose }) =>
                opened && <button onClick={onClose}>Вход в систему</button>
              }
              renderResult={() => <p>Здесь результат</p>}
              onLeave={onLeave}
            />
          </DeviceContext>
        </SessionContext>
      </QueryClientProvider>
    </RouterContextProvider>
  );
  const screen = await render(page(takingView(given)));
  const actions = createPageActions(screen.container);
  await actions.until(() => expect(screen.container.querySelector('main')).not.toBeNull());
  return {
    ...actions,
    calls,
    outbox,
    onLeave,
    see: (changes: Partial<AttemptView>) => screen.show(page(takingView(changes))),
    /** Moves the server's clock on; the page reads it when it is shown. */
    passTo: (moment: number) =>
      act(async () => {
        now = moment;
        document.dispatchEvent(new Event('visibilitychange'));
      }),
  };
}
