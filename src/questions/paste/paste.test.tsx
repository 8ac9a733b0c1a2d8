import { act, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { newQuestion } from '#domain/new-question.ts';
import { PictureUploader } from '#app/questions/form/picture-uploader.ts';
import { QuestionForm } from '#app/questions/form/QuestionForm.tsx';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { pasteConverter } from './converter.ts';
import { installPlainPaste } from './plain-paste.ts';

// jsdom has no popovers, which menus use.
Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });

const KEY = '00000000-0000-4000-8000-0000000000aa';
let last = 0;
const newId = () => `id-${(last += 1)}`;

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
  vi.restoreAllMocks();
});

async function open(start: Question) {
  const latest = { question: start };
  function Editor() {
    const [question, setQuestion] = useState(start);
    return (
      <PictureUploader value={{ prepare: async (file) => file, upload: async () => KEY }}>
        <QuestionForm
          number={1}
          question={question}
          problems={[]}
          onChange={(next) => {
            latest.question = next;
            setQuestion(next);
          }}
        />
      </PictureUploader>
    );
  }
  shown = await render(<Editor />);
  return { box: shown.container, question: () => latest.question };
}

const field = (box: HTMLElement, label: string): HTMLTextAreaElement => {
  const named = [...box.querySelectorAll('label')].find((one) => one.textContent?.trim() === label);
  const found =
    box.querySelector<HTMLTextAreaElement>(`[aria-label="${label}"]`) ??
    box.querySelector<HTMLTextAreaElement>(`[id="${named?.htmlFor}"]`);
  if (!found) throw new Error(`No field «${label}»`);
  return found;
};

async function paste(target: HTMLElement, html: string, text: string): Promise<Event> {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  const getData = (type: string) =>
    type === 'text/html' ? html : type === 'text/plain' ? text : '';
  Object.assign(event, {
    clipboardData: { files: [], types: ['text/html', 'text/plain'], getData },
  });
  await act(async () => {
    target.focus();
    target.dispatchEvent(event);
    await pasteConverter.load().catch(() => undefined);
  });
  return event;
}

const variant = (texts: readonly string[]): Question => ({
  ...newQuestion('variant', newId),
  text: '',
  options: texts.map((text, index) => ({ optionId: `o${index}`, text, isRight: index === 0 })),
});
const POWER = '<meta charset="utf-8">5·10<sup>2</sup> и H<sub>2</sub>SO<sub>4</sub>';

test.each(['Текст вопроса', 'Пояснение после ответа', 'Вариант 1', 'Общий текст'])(
  'powers and indices pasted into «%s» stay',
  async (label) => {
    const passage = { passageId: KEY, text: '' };
    const { box, question } = await open({ ...variant(['', '']), passage });
    const event = await paste(field(box, label), POWER, '5·102 и H2SO4');
    expect(event.defaultPrevented).toBe(true);
    await expect.poll(() => JSON.stringify(question())).toContain('5·10² и H₂SO₄');
  },
);

test('a pasted list fills the options with its powers', async () => {
  const { box, question } = await open(variant(['', '', '']));
  const html = '<ul><li>10<sup>2</sup></li><li>10<sup>3</sup></li><li>x<sub>1</sub></li></ul>';
  await paste(field(box, 'Вариант 1'), html, '102\n103\nx1');
  await expect
    .poll(() => {
      const now = question();
      return now.kind === 'variant' && now.options.map(({ text }) => text);
    })
    .toEqual(['10²', '10³', 'x₁']);
});

test('what is pasted stands where the caret was', async () => {
  const { box, question } = await open({ ...variant(['а']), text: 'Масса кг' });
  const target = field(box, 'Текст вопроса');
  target.setSelectionRange(6, 6);
  await paste(target, '10<sup>2</sup> ', '102 ');
  await expect.poll(() => question().text).toBe('Масса 10²кг');
});

test('unpasted content is reported until the next paste', async () => {
  const { box } = await open(variant(['']));
  const target = field(box, 'Текст вопроса');
  await paste(target, '<p>Схема <img src="https://a.ru/x.png"> <b>а</b></p>', 'Схема а');
  await expect
    .poll(() => box.textContent)
    .toContain('Картинка не вставлена: скопируйте её отдельно');
  await paste(target, '', 'текст');
  expect(box.textContent).not.toContain('Картинка не вставлена');
});

test('a picture that the HTML holds is sent and stands in its place', async () => {
  const { box, question } = await open(variant(['']));
  const html = '<p>Схема <img src="data:image/png;base64,iVBORw0KGgo=" alt="цепи"> справа</p>';
  await paste(field(box, 'Текст вопроса'), html, 'Схема  справа');
  const insert = () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === 'Вставить');
  await expect.poll(insert).toBeDefined();
  await click(insert());
  await expect.poll(() => question().text).toBe(`Схема ![цепи](file:${KEY}) справа`);
});

test('text without formatting is left to the browser, formulas in brackets excepted', async () => {
  const { box, question } = await open(variant(['', '']));
  const target = field(box, 'Текст вопроса');
  expect((await paste(target, '<span style="color:red">a*b</span>', 'a*b')).defaultPrevented).toBe(
    false,
  );
  await paste(target, '', String.raw`Найдите \(x^2\), код \`\(y\)\``.replaceAll('\\`', '`'));
  expect(question().text).toBe('Найдите $x^2$, код `\\(y\\)`');
  await paste(field(box, 'Вариант 1'), '', 'а) \\(x\\)\nб) \\[y\\]');
  const now = question();
  expect(now.kind === 'variant' && now.options.map(({ text }) => text)).toEqual(['$x$', '$$y$$']);
});

test('if the converter does not load, the text is pasted and the loss reported', async () => {
  vi.spyOn(pasteConverter, 'load').mockRejectedValue(new Error('offline'));
  const { box, question } = await open(variant(['']));
  await paste(field(box, 'Текст вопроса'), POWER, '5·102 и H2SO4');
  await expect.poll(() => question().text).toBe('5·102 и H2SO4');
  expect(box.textContent).toContain('проверьте степени, индексы и формулы');
});

test('fields without formatting show powers and formulas in their own signs', async () => {
  installPlainPaste();
  const open_ = newQuestion('open', newId);
  const { box, question } = await open({
    ...open_,
    accepted: [{ text: '', share: 1 }],
  });
  await paste(field(box, 'Ответ 1'), POWER, '5·102 и H2SO4');
  await expect.poll(() => JSON.stringify(question())).toContain('5·10² и H₂SO₄');
  expect((await paste(field(box, 'Ответ 1'), '<b>5</b>', '5')).defaultPrevented).toBe(false);
});
