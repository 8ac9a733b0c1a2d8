import { act, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { newQuestion } from '#domain/new-question.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { EMPTY_FORM } from './ask-form.ts';
import { DraftsPanel } from './DraftsPanel.tsx';
import type { DraftingState } from './use-drafting.ts';
import { NO_DRAFTS, withDraft } from './work.ts';

vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

// jsdom has no popovers, which menus use.
Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });

const question = (text: string): Question => ({
  ...newQuestion('open', () => crypto.randomUUID()),
  text,
});
const STARS = question('Назовите самую близкую звезду');
const RIVERS = question('Какая река длиннее Волги?');

let shown: Rendered;
let inTest: readonly Question[];

/** The panel of an empty test with two drafts. */
function Panel() {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const [drafts, setDrafts] = useState(() => withDraft(withDraft(NO_DRAFTS, STARS), RIVERS));
  const draft = {
    testId: 'test',
    questions,
    change: (_label, edit) => {
      inTest = edit(inTest);
      setQuestions(inTest);
    },
  } as Pick<DraftEditor, 'testId' | 'questions' | 'change'> as DraftEditor;
  const drafting: DraftingState = {
    form: EMPTY_FORM,
    drafts,
    setForm: () => undefined,
    setDrafts,
    progress: null,
    ending: null,
    start: () => undefined,
    stop: () => undefined,
    isUnsaved: false,
  };
  return <DraftsPanel draft={draft} drafting={drafting} canAsk={false} />;
}

const words = () => shown.container.textContent ?? '';
const texts = () => inTest.map(({ text }) => text);
/** A button of the draft by its label. */
const press = (text: string, name: string) => {
  const card = [...shown.container.querySelectorAll('ol > li')].find(({ textContent }) =>
    textContent?.includes(text),
  );
  return click(
    [...(card?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name),
  );
};

beforeEach(async () => {
  inTest = [];
  shown = await render(<Panel />);
});
afterEach(() => shown.unmount());

test('drafts enter the test only when accepted, which can be undone', async () => {
  expect(words()).toContain('Черновик 2');
  expect(texts()).toEqual([]);
  await press(RIVERS.text, 'Принять');
  expect(texts()).toEqual([RIVERS.text]);
  expect(words()).toContain(`Принят, вопрос 1: ${RIVERS.text}`);
  await press(RIVERS.text, 'Отменить');
  expect(texts()).toEqual([]);
});

test('a refused draft is collapsed and can be restored', async () => {
  await press(STARS.text, 'Отклонить');
  expect(words()).toContain(`Отклонён: ${STARS.text}`);
  expect(words()).not.toContain('Черновик 1');
  await press(STARS.text, 'Вернуть');
  expect(words()).toContain('Черновик 1');
  expect(texts()).toEqual([]);
});

test('an edited draft is added to the test as edited', async () => {
  await press(STARS.text, 'Изменить');
  const field = shown.container.querySelector<HTMLTextAreaElement>(
    `[id="draft-${STARS.questionId}"] textarea`,
  );
  await act(async () => {
    const own = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
    own?.set?.call(field, 'Какая звезда ближе всех?');
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press('Черновик 1', 'Принять');
  expect(texts()).toEqual(['Какая звезда ближе всех?']);
});
