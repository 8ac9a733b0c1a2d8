import { act, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Passage, Question } from '#contract/questions.ts';
import { newQuestion } from '#domain/new-question.ts';
import { QuestionKey } from '#app/questions/QuestionKey.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { click, press, render, type Rendered } from '#app/ui/test-render.tsx';
import { PictureUploader, type PictureUploaderValue } from './picture-uploader.ts';
import { QuestionForm } from './QuestionForm.tsx';
import { StudentView } from './StudentView.tsx';

const KEY = '00000000-0000-4000-8000-0000000000aa';

// jsdom has no popovers, which menus use.
Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });

let last = 0;
const newId = () => {
  last += 1;
  return `id-${last}`;
};
const choice = (texts: readonly string[]): Question => ({
  ...newQuestion('variant', newId),
  text: 'Единица силы?',
  options: texts.map((text, index) => ({ optionId: `o${index}`, text, isRight: index === 0 })),
});

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
  vi.restoreAllMocks();
});

interface Opened {
  readonly box: HTMLElement;
  question: () => Question;
}

async function open(
  start: Question,
  {
    problems = [],
    passages = [],
    uploader,
  }: { problems?: string[]; passages?: Passage[]; uploader?: PictureUploaderValue } = {},
): Promise<Opened> {
  const latest = { question: start };
  function Editor() {
    const [question, setQuestion] = useState(start);
    const form = (
      <QuestionForm
        number={7}
        question={question}
        problems={problems}
        passages={passages}
        onChange={(next) => {
          latest.question = next;
          setQuestion(next);
        }}
      />
    );
    return (
      <>
        {uploader ? <PictureUploader value={uploader}>{form}</PictureUploader> : form}
        <StudentView number={7} question={question} />
      </>
    );
  }
  shown = await render(<Editor />);
  return { box: shown.container, question: () => latest.question };
}

const labelled = (box: HTMLElement, label: string): HTMLElement => {
  const byLabel = [...box.querySelectorAll('label')].find(
    (one) => one.textContent?.trim() === label && one.htmlFor !== '',
  );
  const found =
    box.querySelector<HTMLElement>(`[aria-label="${label}"]`) ??
    (byLabel && box.querySelector<HTMLElement>(`[id="${byLabel.htmlFor}"]`));
  if (!found) throw new Error(`No field «${label}»`);
  return found;
};

/** A single-line or multi-line field. */
const writable = (box: HTMLElement, label: string) => labelled(box, label) as HTMLTextAreaElement;

const button = (box: HTMLElement, words: string) =>
  [...box.querySelectorAll('button')].find(
    (one) =>
      one.textContent?.trim() === words ||
      one.getAttribute('aria-label') === words ||
      one.querySelector(`[role=img][aria-label="${words}"]`),
  );

const type = (element: HTMLElement, text: string) =>
  act(async () => {
    const field = element as HTMLTextAreaElement;
    field.focus();
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    own?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });

const choose = (field: HTMLElement, value: string) =>
  act(async () => {
    (field as HTMLSelectElement).value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });

const optionsOf = (question: Question) =>
  question.kind === 'variant' ? question.options.map(({ text }) => text) : [];

test('switching the kind retains text and points, names dropped data, and restores it on switching back', async () => {
  const { box, question } = await open(choice(['Ньютон', 'Паскаль']));
  const kind = labelled(box, 'Вид вопроса');
  await choose(kind, 'essay');
  expect(question()).toMatchObject({ kind: 'open', input: 'text', text: 'Единица силы?' });
  expect(box.textContent).toContain('Варианты ответа не пропали');
  await choose(kind, 'single');
  expect(optionsOf(question())).toEqual(['Ньютон', 'Паскаль']);
});

test.each([
  ['2,5', 2.5, 'балла'],
  ['1.25', 1.25, 'балла'],
  ['5', 5, 'баллов'],
  ['21', 21, 'балл'],
])('points typed as %s are %s %s', async (typed, points, word) => {
  const { box, question } = await open(choice(['а', 'б']));
  const field = writable(box, 'Баллы за вопрос');
  await type(field, typed);
  expect(question().points).toBe(points);
  expect(field.value).toBe(typed);
  expect(field.parentElement?.textContent).toBe(word);
});

test('invalid points are reported at the field, and the question is unchanged', async () => {
  const { box, question } = await open(choice(['а', 'б']));
  const field = writable(box, 'Баллы за вопрос');
  await type(field, '2,555');
  expect(question().points).toBe(1);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const description = box.querySelector(`[id="${field.getAttribute('aria-describedby')}"]`);
  expect(description?.textContent).toBe('Не больше 2 знаков после запятой');
});

test('Enter adds the next option and goes to it, Backspace in an empty one removes it', async () => {
  const { box, question } = await open(choice(['Ньютон', 'Паскаль']));
  await press(labelled(box, 'Вариант 1'), 'Enter');
  expect(optionsOf(question())).toEqual(['Ньютон', '', 'Паскаль']);
  expect(document.activeElement).toBe(labelled(box, 'Вариант 2'));
  await press(document.activeElement, 'Backspace');
  expect(optionsOf(question())).toEqual(['Ньютон', 'Паскаль']);
  expect(document.activeElement).toBe(labelled(box, 'Вариант 1'));
});

test('single choice has one correct option, multiple choice as many as marked', async () => {
  const { box, question } = await open(choice(['Ньютон', 'Паскаль']));
  const right = () => {
    const now = question();
    return now.kind === 'variant' && now.options.map(({ isRight }) => isRight);
  };
  await click(labelled(box, 'Верный: вариант 2'));
  expect(right()).toEqual([false, true]);
  await choose(labelled(box, 'Вид вопроса'), 'several');
  await click(labelled(box, 'Верный: вариант 1'));
  expect(right()).toEqual([true, true]);
  await click(labelled(box, 'Всё или ничего'));
  expect(question()).toMatchObject({ scoring: 'allOrNothing' });
});

test('shuffling of options can be switched off', async () => {
  const { box, question } = await open(choice(['Ньютон', 'Паскаль']));
  const toggle = [...box.querySelectorAll<HTMLElement>('[role=switch]')].find((one) =>
    one.parentElement?.textContent?.includes('Перемешивать'),
  );
  await click(toggle);
  expect(question()).toMatchObject({ shuffle: true });
  await click(toggle);
  expect(question()).toMatchObject({ shuffle: false });
});

test('a row is dragged by the pointer, and by keys at its handle', async () => {
  // Fake layout for jsdom: rows of 40 px.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(
    this: HTMLElement,
  ) {
    const row = this.closest('li');
    const index = row ? [...(row.parentElement?.children ?? [])].indexOf(row) : 0;
    return new DOMRect(0, index * 40, 300, 40);
  });
  const { box, question } = await open(choice(['а', 'б', 'в']));
  const handle = (number: number) => labelled(box, `Переставить вариант ${number}`);
  /** The sensor adds its listeners asynchronously. */
  const send = (target: EventTarget, event: Event) =>
    act(async () => {
      target.dispatchEvent(event);
      await new Promise((resolve) => setTimeout(resolve));
    });
  const all = { bubbles: true, cancelable: true };
  const point = (target: EventTarget, name: string, clientY: number) =>
    send(target, new PointerEvent(name, { ...all, clientX: 10, clientY, isPrimary: true }));
  const key = (target: EventTarget, code: string) =>
    send(target, new KeyboardEvent('keydown', { ...all, code }));
  await point(handle(1), 'pointerdown', 20);
  await point(document, 'pointermove', 60);
  await point(document, 'pointermove', 100);
  await point(document, 'pointerup', 100);
  expect(optionsOf(question())).toEqual(['б', 'в', 'а']);

  await key(handle(3), 'Space');
  await key(document, 'ArrowUp');
  await key(document, 'Space');
  expect(optionsOf(question())).toEqual(['б', 'а', 'в']);
});

test('a row is moved by its menu together with its feedback', async () => {
  const { box, question } = await open(choice(['а', 'б', 'в']));
  const menu = async (number: number, words: string) => {
    const label = `Действия с вариантом ${number}`;
    await click(box.querySelector(`button[aria-label="${label}"]`));
    const entries = box.querySelectorAll(`[role=menu][aria-label="${label}"] button`);
    expect(entries).not.toHaveLength(0);
    return [...entries].find(({ textContent }) => textContent === words);
  };
  expect(await menu(1, 'Выше')).toBeUndefined();
  await click(await menu(3, 'Отзыв на этот вариант'));
  await type(labelled(box, 'Отзыв на вариант 3'), 'Почти');
  await click(await menu(3, 'Выше'));
  expect(optionsOf(question())).toEqual(['а', 'в', 'б']);
  expect(question()).toMatchObject({ options: [{}, { text: 'в', feedback: 'Почти' }, {}] });
  await type(labelled(box, 'Отзыв на вариант 2'), '');
  expect(JSON.stringify(question())).not.toContain('feedback');
});

test('problems are shown at the fields that cause them', async () => {
  const { box } = await open(choice(['а', 'б']), {
    problems: ['Вопрос 7: нет текста', 'не отмечен верный вариант', 'что-то ещё'],
  });
  const text = labelled(box, 'Текст вопроса');
  expect(text.getAttribute('aria-invalid')).toBe('true');
  const section = box.querySelector('section');
  expect(section?.textContent).toContain('Не отмечен верный вариант');
  const said = [...box.querySelectorAll('[role=status]')].map(({ textContent }) => textContent);
  expect(said).toContain('Что-то ещё');
});

test('accepted answers have shares and a tolerance, and none means grading by hand', async () => {
  const start = { ...newQuestion('open', newId), text: 'Ускорение?' };
  const { box, question } = await open(start);
  await type(labelled(box, 'Ответ 1'), '4,9');
  await type(labelled(box, 'Допуск, ±'), '0,05');
  await press(labelled(box, 'Ответ 1'), 'Enter');
  await type(labelled(box, 'Ответ 2'), '5');
  await type(labelled(box, 'Доля баллов за ответ 2, %'), '50');
  expect(question()).toMatchObject({
    tolerance: 0.05,
    accepted: [
      { text: '4,9', share: 1 },
      { text: '5', share: 0.5 },
    ],
  });
  const byHand = [...box.querySelectorAll<HTMLElement>('[role=switch]')].find((one) =>
    one.parentElement?.textContent?.includes('Проверяет преподаватель'),
  );
  await click(byHand);
  expect(question()).toMatchObject({ accepted: [] });
  await click(byHand);
  expect(question()).toMatchObject({ accepted: [{ text: '4,9' }, { text: '5' }] });
});

test('an accepted number can change its sign by a button, one of words has none', async () => {
  const start = { ...newQuestion('open', newId), text: 'Корень?' };
  const line = await open(start);
  expect(line.box.querySelector('[aria-label="Сменить знак"]')).toBeNull();
  const { box, question } = await open({ ...start, input: 'number' });
  await type(labelled(box, 'Ответ 1'), '5');
  await click(box.querySelector('[aria-label="Сменить знак"]'));
  expect(question()).toMatchObject({ accepted: [{ text: '−5' }] });
});

test('a tag ends with Enter or a comma and is never doubled', async () => {
  const { box, question } = await open(choice(['а', 'б']));
  const field = writable(box, 'Метки');
  await type(field, 'ЕГЭ,');
  await type(field, 'егэ');
  await press(field, 'Enter');
  expect(question().tags).toEqual(['ЕГЭ']);
  await type(field, 'а'.repeat(51));
  await press(field, 'Enter');
  expect(box.textContent).toContain('Метка не длиннее 50 символов');
});

test('the palette inserts at the cursor, and the formula replaces the selection', async () => {
  const { box, question } = await open(choice(['а', 'б']));
  const text = writable(box, 'Текст вопроса');
  await act(async () => text.setSelectionRange(8, 12));
  await click(button(box, 'Формула'));
  const tex = writable(box, 'Запись формулы');
  await type(tex, 'F=');
  await act(async () => tex.setSelectionRange(2, 2));
  await click(button(box, 'Дробь'));
  expect(tex.value).toBe('F=\\frac{}{}');
  expect(tex.selectionStart).toBe('F=\\frac{'.length);
  await click(button(box, 'Вставить'));
  expect(question().text).toBe('Единица $F=\\frac{}{}$?');

  await act(async () => text.setSelectionRange(12, 12));
  await click(button(box, 'Формула'));
  expect(writable(box, 'Запись формулы').value).toBe('F=\\frac{}{}');
  await type(labelled(box, 'Запись формулы'), 'F=ma');
  await click(button(box, 'Заменить'));
  expect(question().text).toBe('Единица $F=ma$?');
});

test('Ctrl+B makes the selection bold, also on a Russian keyboard', async () => {
  const { box, question } = await open(choice(['а', 'б']));
  const text = writable(box, 'Текст вопроса');
  await act(async () => {
    text.setSelectionRange(8, 12);
    const keys = { key: 'и', code: 'KeyB', ctrlKey: true, bubbles: true, cancelable: true };
    text.dispatchEvent(new KeyboardEvent('keydown', keys));
  });
  expect(question().text).toBe('Единица **силы**?');
});

const pick = (box: HTMLElement, files: readonly File[]) =>
  act(async () => {
    const input = box.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('No file input');
    Object.defineProperty(input, 'files', { value: files, configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });

test('a picture is uploaded while its description is typed, and is inserted once uploaded', async () => {
  const photo = new File(['x'], 'схема.png', { type: 'image/png' });
  let tries = 0;
  const { box, question } = await open(choice(['а', 'б']), {
    uploader: {
      prepare: async (file) => file,
      upload: async () => {
        tries += 1;
        if (tries === 1) throw new Error('Сервер не отвечает');
        return KEY;
      },
    },
  });
  const text = writable(box, 'Текст вопроса');
  await act(async () => text.setSelectionRange(7, 7));
  await pick(box, [photo]);
  expect(box.querySelector('[role=alert]')?.textContent).toContain('Сервер не отвечает');
  await type(labelled(box, 'Что на картинке?'), 'Схема [цепи]');
  await click(button(box, 'Повторить'));
  await click(button(box, 'Вставить'));
  expect(question().text).toBe(`Единица\n![Схема цепи](file:${KEY})\n силы?`);
  await expect.poll(() => box.querySelector('section img')?.getAttribute('src')).toMatch(/^blob:/);
});

test.each([
  ['pasted', 'paste', 'clipboardData'],
  ['dropped', 'drop', 'dataTransfer'],
])('a %s picture opens the modal and is inserted like a picked one', async (_, type_, at) => {
  const photo = new File(['x'], 'схема.png', { type: 'image/png' });
  const { box, question } = await open(choice(['а', 'б']), {
    uploader: { prepare: async (file) => file, upload: async () => KEY },
  });
  const event = new Event(type_, { bubbles: true, cancelable: true });
  Object.assign(event, { [at]: { files: [photo], types: ['Files'], getData: () => '' } });
  await act(async () => void writable(box, 'Текст вопроса').dispatchEvent(event));
  expect(event.defaultPrevented).toBe(true);
  await type(labelled(box, 'Что на картинке?'), 'Схема');
  await click(button(box, 'Вставить'));
  expect(question().text).toContain(`![Схема](file:${KEY})`);
});

test('a shared text is new, reused from another question, or left out', async () => {
  const known = {
    passageId: '10000000-0000-4000-8000-000000000001',
    text: 'В **лесу** было тихо.',
  };
  const { box, question } = await open(newQuestion('open', newId), { passages: [known] });
  const field = labelled(box, 'Какой общий текст') as HTMLSelectElement;
  expect([...field.options].map(({ text }) => text)).toEqual([
    'Нет',
    'В лесу было тихо.',
    'Новый текст для этого и других вопросов',
  ]);
  await choose(field, known.passageId);
  expect(question().passage).toEqual(known);
  expect(box.textContent).toContain('Один на несколько вопросов');
  await choose(labelled(box, 'Какой общий текст'), 'new');
  expect(question().passage).toMatchObject({ text: '' });
  expect(question().passage?.passageId).not.toBe(known.passageId);
  await choose(labelled(box, 'Какой общий текст'), '');
  expect(question()).not.toHaveProperty('passage');
});

const RECORDING = '![Диалог](audio-file:10000000-0000-4000-8000-000000000001)';
const essay = (): Question => ({
  ...newQuestion('open', newId),
  text: 'О чём они говорят?',
});
const summaries = (box: HTMLElement) =>
  [...box.querySelectorAll('section summary')].map((one) => one.textContent?.trim());

test('a recording has a transcript, which students see where it is allowed', async () => {
  const { box, question } = await open({ ...essay(), text: RECORDING });
  await type(writable(box, 'Текст записи'), 'Поезд в **девять**');
  expect(question()).toMatchObject({ text: RECORDING, transcript: 'Поезд в **девять**' });
  expect(question()).not.toHaveProperty('transcriptShown');
  expect(summaries(box)).toEqual([]);
  const rule = [...box.querySelectorAll('label')].find((label) =>
    label.textContent?.startsWith('Показывать ученикам'),
  );
  await click(rule?.querySelector('input'));
  expect(question()).toMatchObject({ transcript: 'Поезд в **девять**', transcriptShown: true });
  expect(summaries(box)).toEqual(['Текст записи']);
  expect(box.querySelector('section details')?.hasAttribute('open')).toBe(false);
  await type(writable(box, 'Текст записи'), '');
  expect(question()).not.toHaveProperty('transcript');
});

test('an option with a recording has one; a question without any, or in its explanation, has none', async () => {
  const { box } = await open(choice([RECORDING, 'нет']));
  expect(box.querySelector('[role=group][aria-label="Запись в вопросе"]')).not.toBeNull();
  await shown?.unmount();
  const silent = await open({ ...choice(['да', 'нет']), explanation: RECORDING });
  expect(silent.box.textContent).not.toContain('Текст записи');
});

test('a recording in a shared text has its own transcript, separate from that of the question', async () => {
  const passage = { passageId: 'p', text: RECORDING };
  const { box, question } = await open({ ...essay(), passage });
  expect(() => labelled(box, 'Текст записи')).toThrow();
  await type(writable(box, 'Текст записи из общего текста'), 'Слова');
  await type(writable(box, 'Общий текст'), `Послушайте ${RECORDING}`);
  expect(question().passage).toEqual({
    passageId: 'p',
    text: `Послушайте ${RECORDING}`,
    transcript: 'Слова',
  });
  expect(question()).not.toHaveProperty('transcript');
});

test('a transcript without its recording stays visible', async () => {
  const { box } = await open({ ...essay(), transcript: 'Слова' });
  expect(writable(box, 'Текст записи').value).toBe('Слова');
});

test('what is typed, previewed and keyed bears the language of the test', async () => {
  const mark = 'zz';
  const accepted = [{ text: `nine ${mark}`, share: 1, feedback: `well ${mark}` }];
  const options = ['a', 'b'].map((id) => ({
    optionId: id,
    text: `${id} ${mark}`,
    isRight: id === 'a',
  }));
  const common = {
    questionId: 'q',
    text: `Text ${mark}`,
    points: 1,
    explanation: `Because ${mark}`,
  };
  const passage = { passageId: 'p', text: `Passage ${mark}`, transcript: `Words ${mark}` };
  for (const question of [
    { ...common, passage, kind: 'open', input: 'line', accepted, tolerance: 0 },
    { ...choice(['one zz', 'two zz']), ...common },
    {
      ...common,
      text: `[[1]] [[2]] ${mark}`,
      kind: 'gaps',
      gaps: [
        { gapId: '1', weight: 1, input: 'line', accepted, tolerance: 0 },
        { gapId: '2', weight: 1, input: 'choice', options },
      ],
    },
  ] as Question[]) {
    shown = await render(
      <ContentLanguage value="en">
        <QuestionForm number={1} question={question} problems={[]} onChange={() => {}} />
        <QuestionKey question={question} />
      </ContentLanguage>,
    );
    const { container } = shown;
    const fields = [...container.querySelectorAll<HTMLTextAreaElement>('textarea, input')];
    const typed = fields.filter(({ value }) => value.includes(mark));
    expect(typed.length).toBeGreaterThan(2);
    for (const field of typed) expect([field.value, field.lang]).toEqual([field.value, 'en']);
    const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode;
      if (!nodeValue?.includes(mark) || parentElement?.closest('textarea, select')) continue;
      const lang = parentElement?.closest('[lang]')?.getAttribute('lang');
      expect([nodeValue, lang]).toEqual([nodeValue, 'en']);
    }
    await shown.unmount();
  }
});
