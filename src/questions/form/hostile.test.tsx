// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import { render } from '#app/ui/test-render.tsx';
import { QuestionForm } from './QuestionForm.tsx';
import { StudentView } from './StudentView.tsx';

const KEY = '00000000-0000-4000-8000-0000000000aa';
/** Hundreds of texts are rendered. */
const LONG_MS = 60_000;
const asAlt = HOSTILE_TEXTS.map((text) => `![${text}](file:${KEY})`);
const all = [...HOSTILE_TEXTS, ...asAlt].join('\n\n');

const base = {
  questionId: KEY,
  text: all,
  points: 1,
  explanation: all,
  title: HOSTILE_TEXTS.join(' ').slice(0, 200),
  topic: HOSTILE_TEXTS.join(' ').slice(0, 200),
  tags: HOSTILE_TEXTS.slice(0, 20).map((text) => text.slice(0, 50)),
};
const option = (text: string, index: number) => ({
  optionId: `o${index}`,
  text,
  isRight: index === 0,
  ...(index < 5 ? { feedback: text } : {}),
});
const QUESTIONS: Question[] = [
  {
    ...base,
    kind: 'variant',
    multiple: true,
    shuffle: true,
    scoring: 'partial',
    options: [...HOSTILE_TEXTS, ...HOSTILE_TEXTS.map((text) => `![${text}](file:${KEY})`)].map(
      option,
    ),
  },
  {
    ...base,
    kind: 'open',
    input: 'line',
    tolerance: 0,
    accepted: HOSTILE_TEXTS.map((text) => ({ text, share: 1, feedback: text })),
  },
  {
    ...base,
    kind: 'compliance',
    shuffle: true,
    left: HOSTILE_TEXTS.map((text, index) => ({ leftId: `l${index}`, text })),
    right: HOSTILE_TEXTS.slice(0, 2).map((text, index) => ({ rightId: `r${index}`, text })),
    pairs: [],
  },
  {
    ...base,
    kind: 'ordering',
    items: HOSTILE_TEXTS.map((text, index) => ({ itemId: `i${index}`, text })),
  },
  {
    ...base,
    passage: { passageId: KEY, text: all },
    kind: 'file',
    maxBytes: 1,
    accept: HOSTILE_TEXTS.slice(0, 20),
  },
];

vi.stubGlobal('matchMedia', () => ({
  matches: false,
  addEventListener: () => {},
  removeEventListener: () => {},
}));

test.each(QUESTIONS)(
  'nothing runs or loads from any field of a question: $kind',
  async (question) => {
    await preloadRichText([all]);
    const { container, unmount } = await render(
      <>
        <QuestionForm number={1} question={question} problems={HOSTILE_TEXTS} onChange={() => {}} />
        <StudentView number={1} question={question} />
      </>,
    );
    expect(container.querySelectorAll('section code').length).toBeGreaterThan(0);
    const elements = [...container.querySelectorAll('*')];
    const attributes = elements.flatMap((one) => Array.from(one.attributes));
    const active = 'script, iframe, object, embed, form, base, meta, link';
    expect(elements.filter((one) => one.matches(active))).toEqual([]);
    expect(attributes.filter(({ name }) => name.startsWith('on')).map(({ name }) => name)).toEqual(
      [],
    );
    const addresses = attributes.filter(({ name }) => name === 'href' || name === 'src');
    expect(
      addresses.map(({ value }) => value).filter((value) => !/^(https?|mailto|blob):/.test(value)),
    ).toEqual([]);
    await unmount();
  },
  LONG_MS,
);
