import { afterEach, expect, test } from 'vitest';
import type { AttemptPreview } from '#contract/results.ts';
import type { Question } from '#contract/questions.ts';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { PreviewItem } from './PreviewItem.tsx';

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
});

/** Part of every text of the test, and of no text of the interface. */
const MARK = 'zz';
const base = {
  questionId: 'q',
  text: `Text ${MARK}`,
  points: 1,
  explanation: `Because ${MARK}`,
  transcript: `Heard ${MARK}`,
  passage: { passageId: 'p', text: `Passage ${MARK}`, transcript: `Read ${MARK}` },
};
const accepted = [{ text: `Right ${MARK}`, share: 1, feedback: `Well ${MARK}` }];
const options = ['a', 'b'].map((id) => ({
  optionId: id,
  text: `Option ${id} ${MARK}`,
  isRight: id === 'a',
  feedback: `Said ${MARK}`,
}));
const QUESTIONS: readonly (readonly [Question, AttemptPreview['items'][number]['answer']])[] = [
  [
    { ...base, kind: 'open', input: 'line', accepted, tolerance: 0 },
    { questionId: 'q', kind: 'open', text: `Own ${MARK}` },
  ],
  [
    { ...base, kind: 'variant', multiple: false, shuffle: false, scoring: 'partial', options },
    { questionId: 'q', kind: 'variant', optionIds: ['b'] },
  ],
  [
    {
      ...base,
      text: `[[1]] and [[2]] ${MARK}`,
      kind: 'gaps',
      gaps: [
        { gapId: '1', weight: 1, input: 'line', accepted, tolerance: 0 },
        { gapId: '2', weight: 1, input: 'choice', options },
      ],
    },
    { questionId: 'q', kind: 'gaps', gaps: [{ gapId: '1', text: `Own ${MARK}` }] },
  ],
];

test.each(QUESTIONS)(
  'each text of a reviewed question bears the language of the test',
  async (question, answer) => {
    const item = {
      number: 1,
      question,
      answer,
      answered: true,
      receivedLate: false,
      points: 0,
      verdict: 'wrong' as const,
      comment: null,
    };
    shown = await render(
      <ContentLanguage value="en">
        <PreviewItem
          item={item}
          shows={{ ownAnswers: true, points: true, correctAnswers: true }}
          owner="student"
        />
      </ContentLanguage>,
    );
    const walker = document.createTreeWalker(shown.container, NodeFilter.SHOW_TEXT);
    let count = 0;
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode;
      if (!nodeValue?.includes(MARK)) continue;
      count += 1;
      expect([nodeValue, parentElement?.closest('[lang]')?.getAttribute('lang')]).toEqual([
        nodeValue,
        'en',
      ]);
    }
    expect(count).toBeGreaterThan(5);
  },
);
