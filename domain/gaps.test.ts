import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GapAnswer } from '#contract/answers.ts';
import type { Gap, Question } from '#contract/questions.ts';
import { answerMisfit } from './answer-fit.ts';
import { isAnswered } from './answered.ts';
import { formatAnswer, formatKey } from './format-answer.ts';
import { blankedText, gapIdsIn, gapMark, readableText, splitAtGapMarks } from './format-gaps.ts';
import { freeGapId, gapAnswerText, gapsShare, withGapText } from './gaps.ts';
import { differsInKeyAlone, keyProblems } from './key-correction.ts';
import { questionProblems } from './publishing.ts';
import { questionLabel } from './question-label.ts';
import { scoreItem } from './scoring.ts';
import { shownQuestion } from './shown-question.ts';
import { studentQuestion } from './student-question.ts';

type Gaps = Extract<Question, { kind: 'gaps' }>;

const word = (gapId: string, ...texts: string[]): Gap => ({
  gapId,
  weight: 1,
  input: 'line',
  accepted: texts.map((text, index) => ({ text, share: index === 0 ? 1 : 0.5 })),
  tolerance: 0,
});
const number = (gapId: string, text: string, tolerance: number): Gap => ({
  gapId,
  weight: 1,
  input: 'number',
  accepted: [{ text, share: 1 }],
  tolerance,
});
const list = (gapId: string, right: string, ...wrong: string[]): Gap => ({
  gapId,
  weight: 1,
  input: 'choice',
  options: [right, ...wrong].map((text) => ({
    optionId: `${gapId}-${text}`,
    text,
    isRight: text === right,
  })),
});
const water: Gaps = {
  questionId: 'q',
  kind: 'gaps',
  points: 4,
  text: 'Вода кипит при [[1]] °C и становится [[2]], а лёд – [[3]].',
  gaps: [number('1', '100', 0.5), list('2', 'паром', 'льдом', 'газом'), word('3', 'водой', 'вода')],
};
const answerOf = (...gaps: GapAnswer[]) => ({ questionId: 'q', kind: 'gaps' as const, gaps });
const pointsOf = (question: Question, ...gaps: GapAnswer[]) =>
  scoreItem(question, answerOf(...gaps), undefined);

describe('scoring', () => {
  test('each gap earns its part, a wrong or an empty one costs the others nothing', () => {
    const share = (...gaps: GapAnswer[]) => gapsShare(water, gaps);
    expect(share()).toBe(0);
    expect(share({ gapId: '1', text: '100,3' })).toBeCloseTo(1 / 3);
    expect(share({ gapId: '1', text: '101' })).toBe(0);
    expect(share({ gapId: '2', optionId: '2-паром' })).toBeCloseTo(1 / 3);
    expect(share({ gapId: '2', optionId: '2-льдом' })).toBe(0);
    expect(share({ gapId: '3', text: ' ВОДА ' })).toBeCloseTo(0.5 / 3);
    expect(
      share(
        { gapId: '1', text: '7' },
        { gapId: '2', optionId: '2-паром' },
        { gapId: '3', text: 'водой' },
      ),
    ).toBeCloseTo(2 / 3);
  });

  test('weights divide the points, as Moodle divides those of embedded answers', () => {
    const weighted = {
      ...water,
      gaps: water.gaps.map((gap, index) => ({ ...gap, weight: index + 1 })),
    };
    expect(pointsOf(weighted, { gapId: '3', text: 'водой' })).toEqual({
      kind: 'graded',
      points: 2,
    });
    expect(pointsOf(weighted, { gapId: '1', text: '100' })).toEqual({
      kind: 'graded',
      points: 0.67,
    });
  });

  test('the share is that of the right gaps, whatever the order of the answer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ weight: fc.integer({ min: 1, max: 9 }), isRight: fc.boolean() }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.func(fc.integer()),
        (parts, place) => {
          const gaps = parts.map(({ weight }, index) => ({
            ...word(String(index + 1), `да${index}`),
            weight,
          }));
          const answered = parts
            .map(({ isRight }, index) => ({
              gapId: String(index + 1),
              text: isRight ? `да${index}` : 'нет',
            }))
            .sort((a, b) => place(a.gapId) - place(b.gapId));
          const whole = parts.reduce((sum, { weight }) => sum + weight, 0);
          const right = parts.reduce((sum, part) => sum + (part.isRight ? part.weight : 0), 0);
          expect(gapsShare({ ...water, gaps }, answered)).toBeCloseTo(right / whole);
        },
      ),
    );
  });

  test('a text where a list stands, an option where one types: nothing', () => {
    expect(gapsShare(water, [{ gapId: '2', text: 'паром' }])).toBe(0);
    expect(gapsShare(water, [{ gapId: '1', optionId: '2-паром' }])).toBe(0);
  });
});

describe('answers', () => {
  test('blanks alone fill nothing in', () => {
    expect(isAnswered(answerOf())).toBe(false);
    expect(isAnswered(answerOf({ gapId: '1', text: ' \n' }))).toBe(false);
    expect(isAnswered(answerOf({ gapId: '1', text: ' ' }, { gapId: '2', optionId: 'x' }))).toBe(
      true,
    );
    expect(isAnswered(answerOf({ gapId: '1', text: '0' }))).toBe(true);
  });

  test.each([
    ['no gaps', [], null],
    ['some of them', [{ gapId: '3', text: '' }], null],
    ['an unknown gap', [{ gapId: '4', text: 'x' }], 'INVALID_ANSWER'],
    [
      'a gap twice',
      [
        { gapId: '1', text: '1' },
        { gapId: '1', text: '2' },
      ],
      'INVALID_ANSWER',
    ],
    ['an unknown option', [{ gapId: '2', optionId: 'x' }], 'INVALID_ANSWER'],
    ['an option of another gap', [{ gapId: '1', optionId: '2-паром' }], 'INVALID_ANSWER'],
    ['a text in a list', [{ gapId: '2', text: 'паром' }], 'INVALID_ANSWER'],
  ] as [string, GapAnswer[], string | null][])('what fits: %s', (_, gaps, misfit) => {
    expect(answerMisfit(answerOf(...gaps), water)).toBe(misfit);
  });

  test('as text, by the numbers of the gaps', () => {
    const given = answerOf({ gapId: '2', optionId: '2-льдом' }, { gapId: '1', text: ' 90 ' });
    expect(formatAnswer(given, water)).toBe('(2) льдом; (1) 90');
    expect(formatKey(water)).toBe('(1) 100; (2) паром; (3) водой | вода');
    expect(gapAnswerText(water.gaps[1], { gapId: '2', optionId: 'gone' })).toBeNull();
  });
});

describe('what a student sees', () => {
  const shown = studentQuestion(water, () => '');

  test('the text and the inputs, nothing of the key', () => {
    expect(shown).toEqual({
      questionId: 'q',
      kind: 'gaps',
      points: 4,
      text: water.text,
      gaps: [
        { gapId: '1', input: 'number' },
        {
          gapId: '2',
          input: 'choice',
          options: ['газом', 'льдом', 'паром'].map((text) => ({ optionId: `2-${text}`, text })),
        },
        { gapId: '3', input: 'line' },
      ],
    });
  });

  test('lists stand in alphabetical order, numbers by their value, however they were typed', () => {
    const question = { ...water, gaps: [list('1', '10', 'б', '9', 'а')] };
    const listed = studentQuestion(question, () => '');
    const texts = (of: typeof listed) =>
      of.kind === 'gaps' && of.gaps[0]?.input === 'choice'
        ? of.gaps[0].options.map(({ text }) => text)
        : [];
    expect(texts(listed)).toEqual(['9', '10', 'а', 'б']);
    const keyed = shownQuestion(question, () => '', true);
    expect(texts(keyed)).toEqual(['9', '10', 'а', 'б']);
  });

  test('gaps are shown as lines where nothing can be typed', () => {
    expect(blankedText('Да [[1]], нет [[12]].')).toBe(
      String.raw`Да (1)\_\_\_\_\_, нет (12)\_\_\_\_\_.`,
    );
    expect(questionLabel(water)).toBe(
      'Вода кипит при (1)_____ °C и становится (2)_____, а лёд – (3)_____.',
    );
    expect(questionLabel({ text: 'x[[1]] в R' })).toBe('x[[1]] в R');
  });
});

describe('places in a text', () => {
  test('numbers from 1 to 999 in double brackets', () => {
    expect(gapIdsIn('[[1]] [[0]] [[01]] [2] [[1000]] [[ 3 ]] [[999]][[1]]')).toEqual([
      '1',
      '999',
      '1',
    ]);
    const marked = `а${gapMark('1')}${gapMark('12')}[[1]]`;
    expect(splitAtGapMarks(marked)).toEqual(['а', { gapId: '1' }, { gapId: '12' }, '[[1]]']);
    expect(splitAtGapMarks('')).toEqual([]);
  });

  test('a place that was written by hand gets its gap, an untouched gap goes with its place', () => {
    const typed = withGapText({ ...water, text: '', gaps: [] }, 'Да [[2]]');
    expect(typed.gaps).toEqual([word('2', '')]);
    expect(withGapText(typed, 'Да').gaps).toEqual([]);
    expect(freeGapId(typed)).toBe('3');
  });

  test('a gap with answers stays when its place is gone', () => {
    expect(withGapText(water, 'Вода').gaps).toEqual(water.gaps);
    expect(withGapText(water, 'Вода').text).toBe('Вода');
  });

  test('no more gaps than parts of a question', () => {
    const text = Array.from({ length: 150 }, (_, index) => `[[${index + 1}]]`).join('');
    expect(withGapText({ ...water, text: '', gaps: [] }, text).gaps).toHaveLength(100);
  });
});

describe('publishing', () => {
  const problemsOf = (part: Partial<Gaps>) => questionProblems({ ...water, ...part });

  test.each([
    [{}, []],
    [{ text: 'Вода', gaps: [] }, ['в тексте нет пропусков']],
    [{ text: '[[1]] [[1]] [[2]] [[3]]' }, ['один пропуск стоит в тексте дважды']],
    [
      { text: '[[1]] [[2]] [[5]]' },
      ['в тексте есть [[5]], а такого пропуска нет', 'пропуск 3 не стоит в тексте'],
    ],
    [{ text: '[[1]]', gaps: [word('1', 'а'), word('1', 'б')] }, ['номера пропусков повторяются']],
    [{ text: '[[1]]', gaps: [{ ...word('1'), accepted: [] }] }, ['пропуск 1: нет верного ответа']],
    [{ text: '[[1]]', gaps: [word('1', '')] }, ['пропуск 1: среди верных ответов есть пустой']],
    [{ text: '[[1]]', gaps: [word('1', 'а', 'А ')] }, ['пропуск 1: верные ответы повторяются']],
    [{ text: '[[1]]', gaps: [list('1', 'а', 'а')] }, ['пропуск 1: варианты повторяются']],
    [
      { text: '[[1]]', gaps: [list('1', '')] },
      ['пропуск 1: нужно хотя бы два варианта', 'пропуск 1: есть вариант без текста'],
    ],
  ] as [Partial<Gaps>, string[]][])('%j', (part, problems) => {
    expect(problemsOf(part)).toEqual(problems);
  });

  test('a list without a right option', () => {
    const gap = list('1', 'а', 'б');
    const options =
      gap.input === 'choice' ? gap.options.map((one) => ({ ...one, isRight: false })) : [];
    const gaps: Gap[] = [{ gapId: '1', weight: 1, input: 'choice', options }];
    expect(problemsOf({ text: '[[1]]', gaps })).toEqual(['пропуск 1: не отмечен верный вариант']);
    expect(keyProblems({ ...water, gaps })).toEqual([
      { field: 'question.gaps.0', message: 'Отметьте верный вариант' },
    ]);
  });
});

describe('correction of a key', () => {
  test('accepted texts and right options are the key, a list and its options are not', () => {
    const corrected = { ...water, gaps: [number('1', '99', 0), ...water.gaps.slice(1)] };
    expect(differsInKeyAlone(water, corrected)).toBe(true);
    const other = { ...water, gaps: [...water.gaps.slice(0, 2), list('3', 'водой', 'вода')] };
    expect(differsInKeyAlone(water, other)).toBe(false);
    expect(
      keyProblems({ ...water, gaps: [word('1', 'а', 'а'), word('2'), word('3', '')] }),
    ).toEqual([
      { field: 'question.gaps.0', message: 'Такой ответ уже есть' },
      { field: 'question.gaps.1', message: 'Впишите принимаемый ответ' },
      { field: 'question.gaps.2', message: 'Впишите принимаемый ответ' },
    ]);
  });
});

test('a gap accepts a single answer, of its own kind and options', () => {
  const misfit = (...gaps: GapAnswer[]) => answerMisfit(answerOf(...gaps), water);
  expect(misfit({ gapId: '2', optionId: '2-льдом' }, { gapId: '1', text: '1' })).toBeNull();
  for (const wrong of [
    [{ gapId: '2', optionId: '3-паром' }],
    [{ gapId: '2', text: 'паром' }],
    [{ gapId: '1', optionId: '2-паром' }],
    [{ gapId: '9', text: 'паром' }],
    [
      { gapId: '1', text: '1' },
      { gapId: '1', text: '2' },
    ],
  ])
    expect(misfit(...wrong)).toBe('INVALID_ANSWER');
});

test('one right option of several is a key, none is not', () => {
  const of = (...right: boolean[]): Question => ({
    ...water,
    gaps: [
      {
        gapId: '1',
        weight: 1,
        input: 'choice',
        options: right.map((isRight, index) => ({
          optionId: `${index}`,
          text: `${index}`,
          isRight,
        })),
      },
    ],
  });
  expect(keyProblems(of(true, false))).toEqual([]);
  expect(keyProblems(of(false, false))).toEqual([
    { field: 'question.gaps.0', message: 'Отметьте верный вариант' },
  ]);
});

test('of a list in a gap an empty text and a doubled option are reported, each by itself', () => {
  const problemsOf = (...options: [string, string][]) =>
    questionProblems({
      ...water,
      text: '[[1]]',
      gaps: [
        {
          gapId: '1',
          weight: 1,
          input: 'choice',
          options: options.map(([optionId, text], index) => ({
            optionId,
            text,
            isRight: index === 0,
          })),
        },
      ],
    });
  expect(problemsOf(['a', 'лёд'], ['b', 'пар'])).toEqual([]);
  expect(problemsOf(['a', 'лёд'], ['b', ' '])).toEqual(['пропуск 1: есть вариант без текста']);
  expect(problemsOf(['a', 'лёд'], ['b', 'лёд'])).toEqual(['пропуск 1: варианты повторяются']);
  expect(problemsOf(['a', 'лёд'], ['a', 'пар'])).toEqual(['пропуск 1: варианты повторяются']);
});

test('with another text only an untouched gap that lost its place goes, and a place without a gap gets one', () => {
  const ids = (question: Gaps, text: string) =>
    withGapText(question, text).gaps.map(({ gapId }) => gapId);
  const untouched: Gaps = {
    ...water,
    text: '[[1]] [[4]]',
    gaps: [word('1', 'лёд'), word('4', ' ')],
  };
  expect(ids(untouched, '[[1]]')).toEqual(['1']);
  expect(ids(untouched, '[[4]]')).toEqual(['1', '4']);
  expect(ids({ ...untouched, text: '[[1]]' }, '[[1]]')).toEqual(['1', '4']);
  expect(ids({ ...untouched, gaps: [word('1', 'лёд'), word('4', '', 'пар')] }, '[[1]]')).toEqual([
    '1',
    '4',
  ]);
  expect(ids(water, '[[1]] [[2]] [[3]] [[5]]')).toEqual(['1', '2', '3', '5']);
});

test('gaps that weigh nothing earn nothing', () => {
  const weightless = { ...water, gaps: water.gaps.map((gap) => ({ ...gap, weight: 0 })) };
  expect(gapsShare(weightless, [{ gapId: '1', text: '100' }])).toBe(0);
});

test('only a text with gaps has lines to fill in, and a gap with blanks alone is no answer', () => {
  expect(readableText({ kind: 'gaps', text: 'Лёд [[1]]' })).toBe(blankedText('Лёд [[1]]'));
  expect(readableText({ kind: 'open', text: 'Лёд [[1]]' })).toBe('Лёд [[1]]');
  const answer = answerOf({ gapId: '1', text: ' ' }, { gapId: '3', text: 'водой' });
  expect(formatAnswer(answer, water)).toBe('(3) водой');
});
