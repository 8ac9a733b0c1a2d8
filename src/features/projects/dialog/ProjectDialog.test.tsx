import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ProjectDetails } from '#contract/projects.ts';
import type { Route } from '#contract/route.ts';
import { call, callWithFacts } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { sendForm, type SendFormOptions } from '#app/api/send-form.ts';
import { createQueryClient } from '#app/app/query-client.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { ProjectDialog } from './ProjectDialog.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(), callWithFacts: vi.fn() }));
vi.mock('#app/api/send-form.ts', () => ({ sendForm: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({
  useBlocker: () => ({ status: 'idle' }),
  useRouter: () => undefined,
}));

const project: ProjectDetails = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Орбита',
  shortDescription: 'Симулятор спутников',
  description: 'Меняйте скорость и массу',
  landingURL: 'https://orbita.school.test/',
  ownerId: '01900000-0000-7000-8000-000000000002',
  ownerName: 'Комаров Илья',
  rating: null,
  ratingCount: 0,
  views: 0,
  logo: {
    key: '01900000-0000-7000-8000-00000000000a',
    name: 'l.png',
    mimeType: 'image/png',
    size: 9,
  },
  documentation: {
    key: '01900000-0000-7000-8000-00000000000b',
    name: 'o.pdf',
    mimeType: 'application/pdf',
    size: 9,
  },
  createdAt: '2026-05-22T15:00:00.000Z',
  updatedAt: '2026-05-22T15:00:00.000Z',
  isHidden: false,
  myRating: null,
  isMine: true,
  mayEdit: true,
};
const files = {
  logo: 'AAAA',
  logoMimeType: 'image/png',
  documentation: 'AAAA',
  documentationMimeType: 'application/pdf',
};

let screen: Rendered;
let client: QueryClient;
const onClose = vi.fn();
const onSaved = vi.fn();
let isWide = true;

// A closed modal removes its history entry asynchronously, which would close the next test's modal.
beforeAll(() => {
  vi.spyOn(window.history, 'back').mockImplementation(() => undefined);
});
beforeEach(() => {
  client = createQueryClient();
  isWide = true;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: isWide,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.mocked(call).mockReset();
  vi.mocked(sendForm).mockReset().mockResolvedValue('id');
  onClose.mockReset();
  onSaved.mockReset();
});
afterEach(async () => {
  await screen.unmount();
  client.clear();
  vi.unstubAllGlobals();
});

const dialog = (projectId: string | null, opened = true) => (
  <QueryClientProvider client={client}>
    <ProjectDialog
      opened={opened}
      projectId={projectId}
      userName="Комаров Илья"
      onClose={onClose}
      onSaved={onSaved}
    />
  </QueryClientProvider>
);
const open = async (projectId: string | null = null) => {
  screen = await render(dialog(projectId));
};

const control = (label: string) => {
  const found = [...screen.container.querySelectorAll('label')].find(
    ({ textContent }) => textContent === label,
  );
  const field = screen.container.querySelector(`#${CSS.escape(found?.htmlFor ?? '')}`);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) {
    throw new Error(`No field ${label}`);
  }
  return field;
};
const type = (label: string, value: string) =>
  act(async () => {
    const field = control(label);
    const { constructor } = field;
    Object.getOwnPropertyDescriptor(constructor.prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
const pick = (label: string, file: File) =>
  act(async () => {
    const field = control(label);
    Object.defineProperty(field, 'files', { value: [file], configurable: true });
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
const logo = () => new File([SAMPLES['image/png']], 'logo.png', { type: 'image/png' });
const paper = () => new File(['pdf'], 'about.pdf', { type: 'application/pdf' });
const saveButton = () => screen.container.querySelector<HTMLButtonElement>('button[type=submit]');
const save = async () => {
  await click(saveButton());
  await act(async () =>
    vi.waitFor(() => expect(screen.container.querySelector('[data-loading]')).toBeNull()),
  );
};
const words = () => screen.container.querySelector('[role=dialog]')?.textContent ?? '';
const fillTexts = async () => {
  await type('Название', 'Умная теплица');
  await type('Краткое описание', 'Датчики следят за рассадой');
  await type('Подробное описание', 'Полив включается по расписанию');
  await type('Сайт проекта', 'https://teplica.school.test');
};

test('«Сохранить» is disabled until the form is changed', async () => {
  await open();
  expect(saveButton()?.disabled).toBe(true);
  await type('Название', 'Т');
  expect(saveButton()?.disabled).toBe(false);
  await type('Название', '');
  expect(saveButton()?.disabled).toBe(true);
});

test('«Сохранить» is enabled by a picked file', async () => {
  await open();
  await pick('Логотип', logo());
  expect(saveButton()?.disabled).toBe(false);
});

test.each([
  ['Название', '  ', 'Пожалуйста, введите название проекта'],
  ['Название', 'я'.repeat(51), 'Название проекта не должно превышать 50 символов'],
  ['Краткое описание', ' ', 'Пожалуйста, введите краткое описание проекта'],
  [
    'Краткое описание',
    'я'.repeat(151),
    'Краткое описание проекта не должно превышать 150 символов',
  ],
  ['Подробное описание', '\n', 'Пожалуйста, введите подробное описание проекта'],
  [
    'Подробное описание',
    'я'.repeat(1001),
    'Подробное описание проекта не должно превышать 1000 символов',
  ],
  ['Сайт проекта', '', 'Пожалуйста, введите корректный URL'],
  ['Сайт проекта', 'orbita', 'Пожалуйста, введите корректный URL'],
  ['Сайт проекта', 'javascript:alert(1)', 'Пожалуйста, введите корректный URL'],
])('%s %j is refused with «%s»', async (label, value, message) => {
  await open();
  await fillTexts();
  await pick('Логотип', logo());
  await pick('Документация', paper());
  await type(label, value);
  await save();
  await vi.waitFor(() => expect(words()).toContain(message));
  expect(document.activeElement).toBe(control(label));
  expect(sendForm).not.toHaveBeenCalled();
});

test.each([
  ['logo', 'Пожалуйста, загрузите логотип проекта'],
  ['documentation', 'Пожалуйста, загрузите документацию проекта'],
])('a new project without %s is refused with «%s»', async (missing, message) => {
  await open();
  await fillTexts();
  if (missing === 'logo') await pick('Документация', paper());
  else await pick('Логотип', logo());
  await save();
  await vi.waitFor(() => expect(words()).toContain(message));
  expect(sendForm).not.toHaveBeenCalled();
});

test('a logo that this browser cannot open is refused by the name of its format', async () => {
  await open();
  const heic = new File([new Uint8Array([0, 0, 0, 24]), 'ftypheic'], 'IMG_1.HEIC');
  await pick('Логотип', heic);
  await vi.waitFor(() =>
    expect(words()).toContain(
      'HEIC этот браузер не открывает. Сохраните картинку как JPEG или PNG и выберите снова.',
    ),
  );
  expect(control('Логотип').getAttribute('aria-invalid')).toBe('true');
  await pick('Логотип', logo());
  await vi.waitFor(() => expect(words()).not.toContain('HEIC'));
  expect(words()).toContain('logo.png');
});

test('the logo is a picture only, documentation .doc, .docx or .pdf', async () => {
  await open();
  expect(control('Документация').getAttribute('accept')).toBe('.doc,.docx,.pdf');
  await pick('Логотип', paper());
  expect(words()).toContain('Такой файл не подойдёт. Выберите картинки');
  await pick('Документация', logo());
  expect(words()).toContain('Такой файл не подойдёт. Выберите DOC, DOCX или PDF');
  expect(saveButton()?.disabled).toBe(true);
});

test('a new project is sent with the current user’s name; the form resets, the dialog closes, the lists are refreshed', async () => {
  await open();
  const renew = vi.spyOn(client, 'invalidateQueries');
  await fillTexts();
  await pick('Логотип', logo());
  await pick('Документация', paper());
  await save();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(vi.mocked(sendForm).mock.calls[0]?.[1]).toEqual({
    body: {
      Name: 'Умная теплица',
      ShortDescription: 'Датчики следят за рассадой',
      Description: 'Полив включается по расписанию',
      LandingURL: 'https://teplica.school.test',
      OwnerName: 'Комаров Илья',
    },
    files: { LogoPhoto: expect.any(File), Documentation: expect.any(File) },
  });
  expect(onSaved).toHaveBeenCalledWith('Умная теплица');
  expect(renew).toHaveBeenCalledWith({ queryKey: ['projects', 'list'] });
  await screen.show(dialog(null, false));
  await screen.show(dialog(null));
  expect(control('Название').value).toBe('');
});

const answerCalls = (waiting: Promise<unknown> = Promise.resolve()) => {
  vi.mocked(callWithFacts).mockResolvedValue({
    reply: project,
    headers: new Headers(),
  } as never);
  vi.mocked(call).mockImplementation(async () => {
    await waiting;
    return files;
  });
};

test('editing shows a loading indicator until the project and its files are loaded', async () => {
  let loaded: (value: unknown) => void = () => undefined;
  answerCalls(new Promise((resolve) => (loaded = resolve)));
  await open(project.id);
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1));
  expect(screen.container.querySelector('[aria-label="Загружаем проект"]')).not.toBeNull();
  expect(saveButton()).toBeNull();
  await act(async () => loaded(null));
  await act(async () => vi.waitFor(() => expect(saveButton()).not.toBeNull()));
  expect(control('Название').value).toBe('Орбита');
  expect(screen.container.querySelector('img')?.getAttribute('src')).toBe(
    'data:image/png;base64,AAAA',
  );
  expect(saveButton()?.disabled).toBe(true);
});

const openLoaded = async () => {
  answerCalls();
  await open(project.id);
  await act(async () => vi.waitFor(() => expect(saveButton()).not.toBeNull()));
};

test('only changed fields are sent', async () => {
  await openLoaded();
  await type('Краткое описание', 'Симулятор планет');
  await save();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(vi.mocked(sendForm).mock.calls[0]?.[1]).toEqual({
    body: { Id: project.id, ShortDescription: 'Симулятор планет', OwnerName: 'Комаров Илья' },
    files: {},
  });
});

const refusal = (parts: object) =>
  new ApiFailure({ kind: 'refused', method: 'PUT', url: '/api/ProjectCard', ...parts });

test('a refused file is reported at its field, and all input stays', async () => {
  await openLoaded();
  vi.mocked(sendForm).mockRejectedValue(
    refusal({
      code: 'FILE_REFUSED',
      details: { fields: [{ field: 'LogoPhoto', message: 'Внутри не картинка' }] },
    }),
  );
  await type('Название', 'Орбита 2');
  await pick('Логотип', logo());
  await save();
  await vi.waitFor(() => expect(words()).toContain('Внутри не картинка'));
  expect(document.activeElement).toBe(control('Логотип'));
  expect(control('Название').value).toBe('Орбита 2');
  expect(words()).toContain('logo.png');
  expect(onClose).not.toHaveBeenCalled();
  expect(saveButton()?.disabled).toBe(false);
});

test('the upload shows progress and can be cancelled; no input is lost', async () => {
  await openLoaded();
  let progress: SendFormOptions['onProgress'];
  vi.mocked(sendForm).mockImplementation(((
    _route: Route,
    _input: unknown,
    options: SendFormOptions,
  ) => {
    progress = options.onProgress;
    return new Promise((_resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  }) as unknown as typeof sendForm);
  await type('Название', 'Орбита 2');
  await click(saveButton());
  await act(async () => vi.waitFor(() => expect(progress).toBeDefined()));
  await act(async () => progress?.({ sent: 1_572_864, total: 2_516_582 }));
  expect(words()).toContain('Отправляется, 1,5 из 2,4\u00a0МБ');
  const cancel = [...screen.container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Отменить',
  );
  await click(cancel);
  await act(async () => vi.waitFor(() => expect(words()).toContain('Отправка отменена')));
  expect(control('Название').value).toBe('Орбита 2');
  expect(onClose).not.toHaveBeenCalled();
});

test('up to 3 extra photos are picked and shown on a desktop, never sent', async () => {
  await openLoaded();
  for (const name of ['1.png', '2.png', '3.png']) {
    await pick('Дополнительные фотографии', new File([name], name, { type: 'image/png' }));
  }
  expect(screen.container.querySelectorAll('[aria-label="Выбранные фотографии"] img')).toHaveLength(
    3,
  );
  expect(words()).toContain('выбраны все 3. На сервер они не отправляются');
  expect(saveButton()?.disabled).toBe(false);
  await save();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(sendForm).not.toHaveBeenCalled();
});

test('on a narrow screen no extra photos are offered', async () => {
  isWide = false;
  await open();
  expect(words()).not.toContain('Дополнительные фотографии');
});

test('on a narrow screen a project is saved without the field of extra photos', async () => {
  isWide = false;
  await openLoaded();
  await type('Название', 'Орбита 2');
  await save();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(sendForm).toHaveBeenCalledTimes(1);
});

test('closing without input asks nothing', async () => {
  await open();
  await click(screen.container.querySelector('button[aria-label="Закрыть"]'));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('closing with input asks first', async () => {
  await open();
  await type('Название', 'Т');
  await click(screen.container.querySelector('button[aria-label="Закрыть"]'));
  expect(onClose).not.toHaveBeenCalled();
  const button = (name: string) =>
    [...screen.container.querySelectorAll('button')].find(
      ({ textContent }) => textContent === name,
    );
  await click(button('Вернуться к форме'));
  expect(control('Название').value).toBe('Т');
  await click(screen.container.querySelector('button[aria-label="Закрыть"]'));
  await click(button('Закрыть без сохранения'));
  expect(onClose).toHaveBeenCalledTimes(1);
});
