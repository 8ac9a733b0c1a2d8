import { expect, test } from 'vitest';
import { readOneItem } from '#interchange/testing/qti1-read.ts';
import { tools } from '#interchange/testing/looks.ts';
import {
  and,
  choices,
  equal,
  feedback,
  html,
  item,
  or,
  plain,
  processing,
  quiz,
  rule,
  xmlFile,
} from '#interchange/testing/qti1-xml.ts';
import { readQti1 } from './read.ts';

const list = (name: string, options: Readonly<Record<string, string>>) =>
  choices(options, { ident: `response_${name}`, own: plain(name) });
const half = (value: string, name: string) => rule(equal(value, `response_${name}`), ['Add', 50]);
const field = (ident: string) =>
  `<response_str ident="${ident}" rcardinality="Single"><render_fib/></response_str>`;

test('lists of Canvas stand where brackets name them, each with its key and feedback', async () => {
  const { question, losses } = await readOneItem(
    item(
      html('<p>Розы [one], <b>фиалки</b> [the_other].</p>') +
        list('one', { a: 'красные', b: 'в клетку' }) +
        list('the_other', { c: 'рябые', d: 'синие' }),
      processing([
        rule(equal('b', 'response_one'), null, { shows: ['b_fb'] }),
        half('a', 'one'),
        half('d', 'the_other'),
      ]) + feedback({ b_fb: 'Так не бывает' }),
      { kind: 'multiple_dropdowns_question', points: '4' },
    ),
  );
  expect(losses).toEqual([]);
  expect(question).toMatchObject({
    kind: 'gaps',
    text: 'Розы [[1]], **фиалки** [[2]].',
    points: 4,
    gaps: [
      {
        gapId: '1',
        input: 'choice',
        weight: 1,
        options: [
          { text: 'красные', isRight: true },
          { text: 'в клетку', isRight: false, feedback: 'Так не бывает' },
        ],
      },
      {
        gapId: '2',
        input: 'choice',
        options: [
          { text: 'рябые', isRight: false },
          { text: 'синие', isRight: true },
        ],
      },
    ],
  });
});

test('blanks of Canvas accept every answer of theirs, though its rules name one', async () => {
  const { question, losses } = await readOneItem(
    item(
      html('Розы [x], фиалки [y]') +
        list('x', { a: 'красные', b: 'алые' }) +
        list('y', { c: 'синие' }),
      processing([half('a', 'x'), half('c', 'y')]),
      { kind: 'fill_in_multiple_blanks_question' },
    ),
  );
  expect(losses).toEqual([]);
  expect(question).toMatchObject({
    text: 'Розы [[1]], фиалки [[2]]',
    gaps: [
      {
        input: 'line',
        accepted: [
          { text: 'красные', share: 1 },
          { text: 'алые', share: 1 },
        ],
      },
      { input: 'line', accepted: [{ text: 'синие', share: 1 }] },
    ],
  });
});

test('new quizzes say at each option whether it is typed or chosen, and how it is compared', async () => {
  const typed = list('x', { a: 'белый' }).replace(
    'ident="a"',
    'ident="a" answer_type="openEntry" scoring_algorithm="TextCloseEnough"',
  );
  const chosen = list('y', { b: 'синий', c: 'серый' }).replaceAll(
    '<response_label ',
    '<response_label answer_type="wordbank" scoring_algorithm="TextEquivalence" ',
  );
  const { question, losses } = await readOneItem(
    item(html('[x] и [y]') + typed + chosen, processing([half('a', 'x'), half('c', 'y')]), {
      kind: 'fill_in_multiple_blanks_question',
    }),
  );
  expect(losses).toEqual(['Опечатки в пропуске прощались, здесь – нет']);
  expect(question).toMatchObject({
    gaps: [
      { input: 'line', accepted: [{ text: 'белый' }] },
      { input: 'choice', options: [{ isRight: false }, { isRight: true }] },
    ],
  });
});

test('fields stand where they stand in the text; unequal points become weights', async () => {
  const { question, losses } = await readOneItem(
    item(
      plain('Пушкин родился в') +
        field('city') +
        plain('в') +
        `<response_num ident="year" rcardinality="Single"><render_fib/></response_num>` +
        plain('году'),
      processing(
        [
          rule(or(equal('Москве', 'city'), equal('Москва', 'city')), ['Add', 1]),
          rule(equal('1799', 'year'), ['Add', 2]),
        ],
        '3',
      ),
      { points: '' },
    ),
  );
  expect(losses).toEqual([]);
  expect(question).toMatchObject({
    kind: 'gaps',
    text: 'Пушкин родился в [[1]] в [[2]] году',
    points: 3,
    gaps: [
      { input: 'line', weight: 1, accepted: [{ text: 'Москве' }, { text: 'Москва' }] },
      { input: 'number', weight: 2, accepted: [{ text: '1799' }] },
    ],
  });
});

test('Blackboard blanks that score only together are reported', async () => {
  const { question, losses } = await readOneItem(
    item(
      html('Столица [a] стоит на [b]') + field('a') + field('b'),
      processing([
        rule(and(or(equal('Москва', 'a')), or(equal('Москве', 'b'), equal('Яузе', 'b'))), [
          'Set',
          100,
        ]),
      ]),
      { kind: 'Fill in the Blank Plus', points: '2' },
    ),
  );
  expect(losses).toEqual([
    'Балл давался только за все пропуски вместе, здесь – за каждый его доля',
  ]);
  expect(question).toMatchObject({
    text: 'Столица [[1]] стоит на [[2]]',
    points: 2,
    gaps: [
      { accepted: [{ text: 'Москва', share: 1 }] },
      {
        accepted: [
          { text: 'Москве', share: 1 },
          { text: 'Яузе', share: 1 },
        ],
      },
    ],
  });
});

test('several blanks of one field are refused with what to do', async () => {
  const blanks = `<response_str ident="r" rcardinality="Ordered"><render_fib><response_label ident="a"/>${plain('и')}<response_label ident="b"/></render_fib></response_str>`;
  const { refused } = await readQti1(xmlFile(quiz(item(plain('Кто?') + blanks, ''))), tools);
  expect(refused.map(({ reason }) => reason)).toEqual([
    'Несколько пропусков в одном поле: неясно, какой ответ к какому. Составьте в редакторе вопрос «Пропуски»',
  ]);
});

test('of rules that name several fields those with the best score are the key', async () => {
  const { question } = await readOneItem(
    item(
      html('Столица [a] стоит на [b]') + field('a') + field('b'),
      processing([
        rule(and(equal('Москва', 'a'), equal('Москве', 'b')), ['Set', 100]),
        rule(and(equal('Москва', 'a'), equal('Оке', 'b')), ['Set', 50]),
      ]),
      { kind: 'Fill in the Blank Plus', points: '2' },
    ),
  );
  expect(question).toMatchObject({
    gaps: [{ accepted: [{ text: 'Москва' }] }, { accepted: [{ text: 'Москве', share: 1 }] }],
  });
});
