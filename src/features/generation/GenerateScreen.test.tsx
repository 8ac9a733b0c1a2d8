import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { Route } from '#contract/route.ts';
import type { Generation, QuestionTemplate } from '#contract/templates.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { click, render, waitForShown, type Rendered } from '#app/ui/test-render.tsx';
import { GenerateScreen } from './GenerateScreen.tsx';
import { STARTERS } from './template/starters.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.setConfig({ testTimeout: 60_000 });

/** Timeout of conditions on a busy machine. */
const PATIENCE = { timeout: 15_000 };

const testId = '01990000-0000-7000-8000-0000000000aa';
const id = (number: number) => `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Fake replies by route; tests override them. */
type Sent = { params?: Record<string, string>; query?: unknown; body?: unknown };
let replies: Record<string, (input: Sent) => unknown>;
let sent: { name: string; input: Sent }[];
let templates: QuestionTemplate[];
let questions: readonly Question[];
let viewerId: string;
let rendered: Rendered;
let client: QueryClient;
let go: (path: string) => Promise<void>;
/** Re-renders the page. */
let redraw: () => void;

const bankQuestion = (number: number): Question => ({
  questionId: id(number),
  kind: 'open',
  input: 'line',
  text: `Вопрос банка ${number}`,
  points: 2,
  accepted: [{ text: `ответ ${number}`, share: 1 }],
  tolerance: 0,
});
const entry = (number: number) => ({
  entryId: id(number),
  question: bankQuestion(number),
  theme: 'physics',
  uses: [],
  usesCount: 0,
  facility: 0.64,
  attempts: 12,
  updatedAt: '2026-05-21T07:00:00.000Z',
});
const newton = (): QuestionTemplate => {
  const [body] = STARTERS;
  if (!body) throw new Error('a starter');
  return { templateId: id(900), version: 3, body, updatedAt: '2026-05-21T07:00:00.000Z' };
};
const facets = (total: number) => ({
  total,
  themes: [{ value: 'physics', count: total }],
  topics: [{ value: 'Динамика', count: total }],
  difficulties: [{ value: 'easy', count: 1 }],
  kinds: [{ value: 'open', count: total }],
  tags: [],
});

function Screen() {
  const [now, setNow] = useState<readonly Question[]>([]);
  const [before, setBefore] = useState<readonly Question[] | null>(null);
  useEffect(() => {
    questions = now;
    redraw = () => setNow((before) => [...before]);
  });
  const draft = {
    testId,
    questions: now,
    change(_label: string, edit: (given: readonly Question[]) => readonly Question[]) {
      setBefore(now);
      setNow(edit(now));
    },
    undoLabel: before ? 'Подбор вопросов' : null,
    undo() {
      if (before) setNow(before);
      setBefore(null);
    },
  } as unknown as DraftEditor;
  return <GenerateScreen draft={draft} viewerId={viewerId} />;
}

async function open(first = 'По шаблонам'): Promise<void> {
  const root = createRootRouteWithContext<{ app: { local: Storage } }>()({ component: Outlet });
  const path = '/tests/manage/$testId/edit/';
  const page = (mode: string) =>
    createRoute({
      getParentRoute: () => root,
      path: `${path}${mode}`,
      component: mode === 'generate' ? Screen : () => null,
    });
  const router = createRouter({
    routeTree: root.addChildren([
      page('generate'),
      page('custom'),
      page('ai'),
      createRoute({ getParentRoute: () => root, path: '/login', component: () => <p>Вход</p> }),
    ]),
    history: createMemoryHistory({
      initialEntries: [path.replace('$testId', testId) + 'generate'],
    }),
    context: { app: { local: window.localStorage } },
  });
  go = (to) =>
    act(async () => {
      // As after an expired session.
      const search = to === '/login' ? { redirect_path: path } : {};
      void router.navigate({ to, search } as never);
    });
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  rendered = await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await seen(first);
}

const words = () => rendered.container.textContent ?? '';
const seen = (text: string) => waitForShown(() => expect(words()).toContain(text), PATIENCE);
const button = (name: string) =>
  [...rendered.container.querySelectorAll('button')].find(
    (one) => one.textContent?.trim() === name || one.getAttribute('aria-label') === name,
  );
/** The checkbox of a labelled row. */
const box = (label: string) =>
  [...rendered.container.querySelectorAll<HTMLInputElement>('input[type=checkbox]')].find(
    (one) =>
      rendered.container
        .querySelector(`[id="${one.getAttribute('aria-labelledby')}"]`)
        ?.textContent?.trim() === label,
  );
const field = (label: string) => {
  const named = [...rendered.container.querySelectorAll('label')].find(
    ({ textContent }) => textContent?.trim() === label,
  );
  const found = rendered.container.querySelector(`[id="${named?.htmlFor}"]`);
  if (!(found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement))
    throw new Error(`No field ${label}`);
  return found;
};
const type = (label: string, value: string) =>
  act(async () => {
    const input = field(label);
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
const choose = (label: string, value: string) =>
  act(async () => {
    const named = [...rendered.container.querySelectorAll('label')].find(
      ({ textContent }) => textContent?.trim() === label,
    );
    const select = rendered.container.querySelector(`[id="${named?.htmlFor}"]`);
    if (!(select instanceof HTMLSelectElement)) throw new Error(`No choice ${label}`);
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
const submit = (name: string) =>
  act(async () => {
    rendered.container
      .querySelector(`form[aria-label="${name}"]`)
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
const bodies = (name: string) =>
  sent.filter((one) => one.name === name).map(({ input }) => input.body);
const shownTexts = () =>
  [...rendered.container.querySelectorAll('ol[aria-label="Что подобрано"] > li')].map(
    ({ textContent }) => textContent ?? '',
  );

beforeEach(() => {
  // jsdom has no popovers.
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });
  sessionStorage.clear();
  viewerId = 'laptewa';
  sent = [];
  templates = [];
  replies = {
    getGeneration: () => ({ generation: null, updatedAt: null }),
    saveGeneration: () => ({ updatedAt: '2026-05-21T07:00:00.000Z' }),
    getTestSettings: () => ({ ownerId: 'laptewa', owner: 'О. В. Лаптева' }),
    getBankFacets: () => facets(0),
    listTemplates: () => ({ items: templates, total: templates.length }),
    saveTemplate: ({ params, body }) => {
      const saved = body as Pick<QuestionTemplate, 'version' | 'body'>;
      const templateId = params?.['templateId'] ?? '';
      const updatedAt = '2026-05-21T07:00:00.000Z';
      const version = saved.version + 1;
      templates = [
        { templateId, version, body: saved.body, updatedAt },
        ...templates.filter((one) => one.templateId !== templateId),
      ];
      return { version, updatedAt };
    },
    deleteTemplate: ({ params }) => {
      templates = templates.filter((one) => one.templateId !== params?.['templateId']);
      return { deleted: true };
    },
    pickFromBank: () => ({ items: [entry(1), entry(2)], shortages: [] }),
  };
  vi.mocked(call).mockImplementation((async (route: Route, input: Sent) => {
    sent.push({ name: route.name, input });
    const reply = replies[route.name];
    if (!reply) throw new Error(`no reply to ${route.name}`);
    return reply(input);
  }) as never);
});
afterEach(async () => {
  await rendered.unmount();
  vi.clearAllMocks();
});

test('nothing to draw from: the screen explains what to do, and a starter template is copied to the teacher', async () => {
  await open();
  expect(words()).toContain('Подбирать пока не из чего');
  expect(words()).toContain('В банке пока пусто');
  await click(button('Взять шаблон «Линейное уравнение»'));
  await waitForShown(() => expect(field('Вопросов').value).toBe('5'), PATIENCE);
  expect(templates.map(({ body }) => body.title)).toEqual(['Линейное уравнение']);
  await submit('Подбор вопросов');
  await seen('5 вопросов, 10 баллов');
  expect(bodies('pickFromBank')).toEqual([]);
  expect(new Set(shownTexts()).size).toBe(5);
});

test('bank questions are drawn with the seed, without those of the test; the seed is stored with the test', async () => {
  replies['getBankFacets'] = () => facets(7);
  replies['pickFromBank'] = () => ({
    items: [entry(1), entry(2)],
    shortages: [{ difficulty: 'easy', wanted: 3, found: 1 }],
  });
  await open();
  await type('Зерно подбора', ' ВЕСНА ');
  await type('Лёгких', '3');
  await type('Любых', '1');
  await submit('Подбор вопросов');
  await seen('2 вопроса, 4 балла');
  expect(words()).toContain('Лёгких вопросов в банке нашлось 1 из 3');
  expect(words()).toContain('банк, решают 64');
  expect(words()).toContain('ответ 1');
  const criteria = { topics: [], tags: [], kinds: [] };
  const mix = { easy: 3, medium: 0, hard: 0, any: 1 };
  expect(bodies('pickFromBank')).toEqual([{ criteria, mix, seed: 'ВЕСНА', exclude: [] }]);
  expect(bodies('saveGeneration')).toEqual([
    { generation: { seed: 'ВЕСНА', criteria, mix, templates: [] } },
  ]);

  await click(button('Добавить в тест 2 вопроса'));
  await seen('Добавлено 2 вопроса');
  expect(questions.map(({ text, origin }) => [text, origin])).toEqual(
    [1, 2].map((number) => [
      `Вопрос банка ${number}`,
      { kind: 'bank', entryId: id(number), seed: 'ВЕСНА' },
    ]),
  );
  expect(questions.map(({ questionId }) => questionId)).not.toContain(id(1));
  await submit('Подбор вопросов');
  await waitForShown(() => expect(bodies('pickFromBank')).toHaveLength(2), PATIENCE);
  expect(bodies('pickFromBank')[1]).toMatchObject({ exclude: [id(1), id(2)] });
});

test('a question is replaced by one not shown, or reported as the only one; undo reverts all', async () => {
  replies['getBankFacets'] = () => facets(7);
  await open();
  await submit('Подбор вопросов');
  await seen('2 вопроса, 4 балла');
  replies['pickFromBank'] = () => ({ items: [entry(3)], shortages: [] });
  await click(button('Заменить'));
  await seen('Вопрос банка 3');
  expect(words()).not.toContain('Вопрос банка 1');
  expect(bodies('pickFromBank')[1]).toMatchObject({
    mix: { easy: 0, medium: 0, hard: 0, any: 1 },
    exclude: [id(1), id(2)],
  });
  replies['pickFromBank'] = () => ({ items: [], shortages: [] });
  await click(button('Заменить'));
  await seen('Другого такого вопроса нет');
  expect(bodies('pickFromBank')[2]).toMatchObject({ exclude: [id(3), id(2), id(1)] });
  await click(button('Убрать'));
  await seen('1 вопрос, 2 балла');
  await click(button('Добавить в тест 1 вопрос'));
  await seen('Добавлен 1 вопрос');
  expect(questions).toHaveLength(1);
  await click(button('Отменить'));
  expect(questions).toHaveLength(0);
  await seen('Добавить в тест 1 вопрос');
});

test('variants share one place; fewer than requested is reported', async () => {
  templates = [newton()];
  const generation: Generation = {
    seed: 'S',
    criteria: { topics: [], tags: [], kinds: [] },
    mix: { easy: 0, medium: 0, hard: 0, any: 0 },
    templates: [{ templateId: id(900), count: 300, perStudent: true }],
  };
  replies['getGeneration'] = () => ({ generation, updatedAt: null });
  await open();
  expect(field('Зерно подбора').value).toBe('S');
  expect(field('Вариантов').value).toBe('300');
  await submit('Подбор вопросов');
  await seen('1 вопрос, 1 балл');
  expect(words()).toContain('разных вариантов всего 166 из 300');
  const [first] = shownTexts();
  await click(button('Убрать'));
  await seen('165 вариантов одного вопроса');
  expect(shownTexts()).not.toContain(first);
  await click(button('Добавить в тест 1 вопрос'));
  expect(questions).toHaveLength(165);
  expect(new Set(questions.map(({ variantOf }) => variantOf)).size).toBe(1);
  expect(questions[0]?.origin).toMatchObject({ kind: 'template', templateId: id(900), seed: 'S' });
});

test('invalid numbers are reported at their fields and nothing is drawn', async () => {
  replies['getBankFacets'] = () => facets(7);
  templates = [newton()];
  await open();
  await click(box('Второй закон Ньютона'));
  await type('Вопросов', '1000');
  await type('Сложных', 'пять');
  await type('Зерно подбора', ' ');
  await submit('Подбор вопросов');
  expect(words()).toContain('Не больше 300');
  expect(words()).toContain('Целое число');
  expect(words()).toContain('Введите зерно или нажмите «Новый подбор»');
  expect(document.activeElement).toBe(field('Сложных'));
  expect(bodies('pickFromBank')).toEqual([]);
});

test('an empty draw is reported; a disabled template retains its number', async () => {
  replies['getBankFacets'] = () => facets(7);
  templates = [newton()];
  await open();
  await type('Любых', '0');
  await click(box('Второй закон Ньютона'));
  await type('Вопросов', '2');
  await click(box('Второй закон Ньютона'));
  await submit('Подбор вопросов');
  await seen('Укажите, сколько вопросов нужно, или отметьте шаблон');
  expect(bodies('saveGeneration')).toEqual([]);
  await click(box('Второй закон Ньютона'));
  expect(field('Вопросов').value).toBe('2');
  await click(button('Новый подбор'));
  await seen('2 вопроса, 2 балла');
  expect(words()).not.toContain('Укажите, сколько вопросов нужно');
});

test('a template is edited with errors at fields and a live example, and is added to the draw', async () => {
  await open();
  await click(button('Новый шаблон'));
  await submit('Шаблон');
  expect(words()).toContain('Введите название шаблона');
  expect(words()).toContain('Введите текст вопроса');
  expect(document.activeElement).toBe(field('Название шаблона'));
  await type('Название шаблона', 'Сумма');
  await type('Текст вопроса', 'Сколько будет {{a}} + {{c}}?');
  await type('Верный ответ', 'a */ b');
  await seen('Переменная c не задана');
  await seen('Выражение «a */ b» не разобрать: «/» стоит не на месте (знак 4)');
  await type('Текст вопроса', 'Сколько будет {{a}} + {{b}}?');
  await type('Верный ответ', 'a + b');
  await seen('Пример 1 из 3');
  expect(words()).toMatch(/Сколько будет \d+ \+ \d+\?/);
  await click(button('Ещё пример'));
  await seen('Пример 2 из 3');
  await submit('Шаблон');
  await seen('По шаблонам');
  expect(bodies('saveTemplate')).toMatchObject([
    { version: 0, body: { title: 'Сумма', key: { kind: 'open', answer: 'a + b' } } },
  ]);
  expect(field('Вопросов').value).toBe('5');
});

test('variables and wrong answers are added, removed and changed in kind', async () => {
  await open();
  await click(button('Новый шаблон'));
  await type('Название шаблона', 'Удвоение');
  await type('Текст вопроса', 'Сколько будет 2 умножить на {{b}}?');
  await type('Верный ответ', '2 * b');
  await click(button('Убрать переменную a'));
  expect(button('Убрать переменную a')).toBeUndefined();
  await choose('Значения', 'list');
  await type('Числа', '4; 5');
  await seen('Пример 1 из 2');
  await choose('Как отвечают', 'variant');
  await type('Неверный вариант 1', 'b + 100');
  await click(button('Добавить неверный вариант'));
  await type('Неверный вариант 2', 'b');
  await click(button('Убрать неверный вариант 1'));
  expect(field('Неверный вариант 1').value).toBe('b');
  await submit('Шаблон');
  await seen('По шаблонам');
  expect(bodies('saveTemplate')).toMatchObject([
    {
      body: {
        variables: [{ kind: 'list', name: 'b', values: [4, 5] }],
        key: { kind: 'variant', distractors: [{ expression: 'b', feedback: '' }] },
      },
    },
  ]);
});

test('gaps come from a selection, from the text and go with their place; a template of them is saved', async () => {
  await open();
  await click(button('Новый шаблон'));
  await type('Название шаблона', 'Сила');
  await choose('Как отвечают', 'gaps');
  await type('Текст вопроса', 'Сила равна {{a * b}} Н, назвал её Ньютон');
  const select = (word: string) => {
    const text = field('Текст вопроса');
    const start = text.value.indexOf(word);
    text.setSelectionRange(start, start + word.length);
  };
  await seen('Пропуски: Добавьте в текст хотя бы один пропуск');
  select('{{a * b}}');
  await click(button('Добавить пропуск'));
  select(' Ньютон');
  await click(button('Добавить пропуск'));
  expect(field('Текст вопроса').value).toBe('Сила равна [[1]] Н, назвал её [[2]]');
  expect(field('Верное число в пропуске 1').value).toBe('a * b');
  expect(field('Верные слова в пропуске 2').value).toBe('Ньютон');
  await type('Верные слова в пропуске 2', 'Ньютон\nИсаак Ньютон');
  await type('Текст вопроса', 'Сила равна [[1]] Н, назвал её [[2]], [[7]] и [[8]]');
  await seen('Пропуск 7: Введите слово');
  await click(button('Убрать пропуск 7'));
  expect(field('Текст вопроса').value).toBe('Сила равна [[1]] Н, назвал её [[2]],  и [[8]]');
  await type('Верные слова в пропуске 8', 'Гук');
  await type('Текст вопроса', 'Сила равна [[1]] Н, назвал её [[2]]');
  await submit('Шаблон');
  await seen('В тексте нет [[8]]: впишите его на место пропуска или уберите пропуск');
  expect(bodies('saveTemplate')).toEqual([]);
  await click(button('Убрать пропуск 8'));
  await seen('Пример 1 из 3');
  await submit('Шаблон');
  await seen('По шаблонам');
  expect(bodies('saveTemplate')).toMatchObject([
    {
      body: {
        text: 'Сила равна [[1]] Н, назвал её [[2]]',
        key: {
          kind: 'gaps',
          gaps: [
            { gapId: '1', input: 'number', answer: 'a * b', tolerance: 0 },
            { gapId: '2', input: 'line', accepted: ['Ньютон', 'Исаак Ньютон'] },
          ],
        },
      },
    },
  ]);
});

test('items are moved with the focus, and values give their order', async () => {
  await open();
  await click(button('Новый шаблон'));
  await type('Название шаблона', 'Порядок');
  await type('Текст вопроса', 'Расположите по возрастанию');
  await choose('Как отвечают', 'ordering');
  for (const [index, text] of ['{{a}}', '{{a - b}}', '{{a + b}}'].entries())
    await type(`Пункт ${index + 1}`, text);
  await seen('Пример 1 из 3');
  await click(button('Действия с пунктом 1'));
  await click(button('Ниже'));
  expect(field('Пункт 1').value).toBe('{{a - b}}');
  expect(field('Пункт 2').value).toBe('{{a}}');
  expect(document.activeElement).toBe(field('Пункт 2'));
  await choose('Верный порядок', 'ascending');
  await seen('Пункт 1: Введите выражение');
  for (const [index, value] of ['a', 'b - b', 'a'].entries())
    await type(`Значение пункта ${index + 1}`, value);
  await seen('стоят на одном месте: их значения равны');
  for (const [index, value] of ['a - b', 'a', 'a + b'].entries())
    await type(`Значение пункта ${index + 1}`, value);
  await seen('Пример 1 из 3');
  await submit('Шаблон');
  await seen('По шаблонам');
  expect(bodies('saveTemplate')).toMatchObject([
    {
      body: {
        key: {
          kind: 'ordering',
          order: 'ascending',
          items: [
            { text: '{{a - b}}', value: 'a - b' },
            { text: '{{a}}', value: 'a' },
            { text: '{{a + b}}', value: 'a + b' },
          ],
        },
      },
    },
  ]);
});

const stale = () =>
  new ApiFailure({
    kind: 'refused',
    method: 'PUT',
    url: '/',
    status: 409,
    code: 'STALE_VERSION',
    details: { version: 8, updatedAt: '2026-05-21T07:00:00.000Z', updatedBy: null },
  });

/** Chooses an entry of the only template's menu. */
async function take(entry: string): Promise<void> {
  await click(button(`Действия с шаблоном «${newton().body.title}»`));
  await click(button(entry));
}

test('a template changed elsewhere: no input is lost, and it is overwritten or saved as new', async () => {
  templates = [newton()];
  await open();
  await take('Изменить');
  await type('Название шаблона', 'Мой Ньютон');
  const good = replies['saveTemplate'];
  replies['saveTemplate'] = () => {
    throw stale();
  };
  await submit('Шаблон');
  await seen('Ваши правки не записаны и не потеряны');
  expect(field('Название шаблона').value).toBe('Мой Ньютон');
  if (good) replies['saveTemplate'] = good;
  await click(button('Записать поверх'));
  await seen('По шаблонам');
  expect(bodies('saveTemplate').at(-1)).toMatchObject({
    version: 8,
    body: { title: 'Мой Ньютон' },
  });
});

/** Blocks the next save of a template until released. */
function held(): () => Promise<void> {
  const good = replies['saveTemplate'];
  let letGo = () => {};
  replies['saveTemplate'] = (input) =>
    new Promise((resolve) => {
      letGo = () => resolve(good?.(input));
    });
  return () =>
    act(async () => {
      if (good) replies['saveTemplate'] = good;
      letGo();
    });
}

test('input typed during the save of a template stays, and is based on the stored version', async () => {
  templates = [newton()];
  await open();
  await take('Изменить');
  await type('Название шаблона', 'Мой Ньютон');
  const arrive = held();
  await submit('Шаблон');
  await type('Название шаблона', 'Мой Ньютон и сила');
  await arrive();
  await seen('то, что вы написали после, ещё не сохранено');
  expect(field('Название шаблона').value).toBe('Мой Ньютон и сила');
  await submit('Шаблон');
  await seen('По шаблонам');
  expect(bodies('saveTemplate')).toMatchObject([
    { version: 3, body: { title: 'Мой Ньютон' } },
    { version: 4, body: { title: 'Мой Ньютон и сила' } },
  ]);
});

test('a template saved as new continues as the new one when edited during the save', async () => {
  templates = [newton()];
  await open();
  await take('Изменить');
  await type('Название шаблона', 'Мой Ньютон');
  const good = replies['saveTemplate'];
  replies['saveTemplate'] = () => {
    throw stale();
  };
  await submit('Шаблон');
  await seen('Ваши правки не записаны и не потеряны');
  if (good) replies['saveTemplate'] = good;
  const arrive = held();
  await click(button('Сохранить как новый'));
  await type('Название шаблона', 'Ещё один');
  await arrive();
  await seen('то, что вы написали после, ещё не сохранено');
  await submit('Шаблон');
  await seen('По шаблонам');
  const [, beside, last] = sent.filter(({ name }) => name === 'saveTemplate');
  expect(beside?.input.params).not.toEqual({ templateId: id(900) });
  expect(last?.input).toMatchObject({
    params: beside?.input.params,
    body: { version: 1, body: { title: 'Ещё один' } },
  });
});

test('a template interrupted by an expired session is restored, to its author only', async () => {
  templates = [newton()];
  await open();
  await take('Изменить');
  await type('Название шаблона', 'Мой Ньютон');
  // As at an expired session: the cache is cleared first, and the page may re-render.
  client.clear();
  await act(async () => redraw());
  expect(field('Название шаблона').value).toBe('Мой Ньютон');
  await go('/login');
  await seen('Вход');
  await rendered.unmount();
  viewerId = 'orlow';
  await open();
  await rendered.unmount();
  viewerId = 'laptewa';
  await open('Шаблон вопроса');
  expect(field('Название шаблона').value).toBe('Мой Ньютон');
  await click(button('Отмена'));
  await seen('Выйти без сохранения?');
  await click(button('Остаться'));
  await submit('Шаблон');
  await seen('По шаблонам');
  expect(bodies('saveTemplate')).toMatchObject([{ version: 3, body: { title: 'Мой Ньютон' } }]);
  await rendered.unmount();
  await open();
});

test('leaving a changed template asks first; deleting one asks too', async () => {
  templates = [newton()];
  await open();
  await take('Изменить');
  await type('Название шаблона', 'Другой');
  await click(button('Отмена'));
  await seen('Выйти без сохранения?');
  await click(button('Остаться'));
  expect(field('Название шаблона').value).toBe('Другой');
  await click(button('К подбору'));
  await click(button('Выйти без сохранения'));
  await seen('По шаблонам');
  await take('Удалить');
  await seen('Удалить шаблон?');
  const confirm = [...rendered.container.querySelectorAll('[role=dialog] button')].find(
    ({ textContent }) => textContent?.trim() === 'Удалить',
  );
  await click(confirm);
  await seen('Начните с готового');
  expect(templates).toEqual([]);
});

test('an unresponsive server is reported, and input stays', async () => {
  replies['getBankFacets'] = () => facets(7);
  replies['pickFromBank'] = () => {
    throw new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' });
  };
  await open();
  await type('Любых', '4');
  await submit('Подбор вопросов');
  await seen('Сервер не отвечает. Проверьте сеть и повторите');
  expect(field('Любых').value).toBe('4');
});

test('in a colleague’s test the screen explains which bank is used', async () => {
  await open();
  expect(words()).not.toContain('вашего банка');
  await rendered.unmount();
  replies['getTestSettings'] = () => ({ ownerId: 'belova', owner: 'Т. А. Белова' });
  await open();
  await seen(
    'Владелец теста – Т. А. Белова. Подбор берёт вопросы из вашего банка и по вашим шаблонам.',
  );
});
