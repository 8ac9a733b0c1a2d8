import { expect, test } from 'vitest';
import { readOneItem } from '#interchange/testing/qti1-read.ts';
import {
  and,
  choices,
  equal,
  feedback,
  html,
  item,
  plain,
  processing,
  rule,
} from '#interchange/testing/qti1-xml.ts';

const BY_PARTS = 'Балл даётся и за часть порядка; в файле – по его правилам';

const list = choices({ a: 'Март', b: 'Январь', c: 'Февраль' }, { cardinality: 'Ordered' });

const placed = (index: number, option: string) =>
  `<varequal respident="r" index="${index}">${option}</varequal>`;

/** Brightspace compares each option with its position, and uses the name of the group as `respident`. */
const grouped = `<response_grp respident="g" rcardinality="Ordered"><render_choice shuffle="yes"><flow_label class="Block">${[
  'Март',
  'Январь',
  'Февраль',
]
  .map((text, at) => `<response_label ident="o${at}">${plain(text)}</response_label>`)
  .join('')}</flow_label></render_choice></response_grp>`;

const ORDERS: readonly (readonly [string, string, string])[] = [
  [
    'one rule names all items in their order (Canvas, IMS)',
    list,
    processing([rule(equal('b') + equal('c') + equal('a'), ['Set', 100])]),
  ],
  [
    'one rule joins them by «and» (Blackboard)',
    list,
    processing([rule(and(equal('b'), equal('c'), equal('a')), ['Set', 100])]),
  ],
  [
    'an order that gives no points or takes some comes before the right one',
    list,
    processing([
      rule(equal('a') + equal('b') + equal('c'), ['Set', 0]),
      rule(equal('c') + equal('b') + equal('a'), ['Set', -1]),
      rule(equal('b') + equal('c') + equal('a'), ['Set', 100]),
    ]),
  ],
  [
    'the points have a name',
    list,
    processing([rule(and(equal('b'), equal('c'), equal('a')), ['Set', 'SCORE.max'])]),
  ],
  [
    'one rule gives each item its index',
    list,
    processing([rule(placed(3, 'a') + placed(1, 'b') + placed(2, 'c'), ['Set', 100])]),
  ],
  [
    'each rule puts one item in its place (ILIAS)',
    list,
    processing([
      rule(placed(2, 'a'), ['Add', 1]),
      rule(placed(0, 'b'), ['Add', 1]),
      rule(placed(1, 'c'), ['Add', 1]),
    ]),
  ],
  [
    'each rule compares one item with its place (Brightspace)',
    grouped,
    processing(
      [
        [0, 3],
        [1, 1],
        [2, 2],
      ].flatMap(([option, place]) => [
        rule(equal(String(place), `o${option}`), ['Add', 1]),
        rule(`<not>${equal(String(place), `o${option}`)}</not>`, ['Add', 0]),
      ]),
    ),
  ],
];

test.each(ORDERS)('an order comes in where %s', async (_, answers, rules) => {
  const { question, losses } = await readOneItem(
    item(html('По порядку') + answers, rules, { points: '3' }),
  );
  expect(question).toMatchObject({
    kind: 'ordering',
    text: 'По порядку',
    points: 3,
    items: [{ text: 'Январь' }, { text: 'Февраль' }, { text: 'Март' }],
  });
  expect(losses).toEqual([BY_PARTS]);
});

test('feedback of an order becomes the explanation; omitted texts are reported', async () => {
  const ends = list.replace('<render_choice>', `<render_choice>${plain('сначала')}`);
  const { question, losses } = await readOneItem(
    item(
      html('По порядку') + ends,
      processing([
        rule(equal('b') + equal('c') + equal('a'), ['Set', 100], { shows: ['right'] }),
        rule(equal('c') + equal('b') + equal('a'), ['Set', 100]),
      ]) + feedback({ right: 'Так и есть' }),
    ),
  );
  expect(question).toMatchObject({ kind: 'ordering', explanation: 'Так и есть' });
  expect(losses).toEqual([
    'Текст внутри списка или поля для ответа не перенесён: допишите его в вопрос',
    'Верных порядков было несколько: остался первый',
    BY_PARTS,
    'Отзыв на верный ответ стал пояснением к вопросу',
  ]);
});

test('points are those of the right order, not the first value of another variable', async () => {
  const own = `<resprocessing><outcomes><decvar varname="ORDERSCORE" defaultval="1"/></outcomes>${rule(
    equal('b') + equal('c') + equal('a'),
    ['Add', 5],
  ).replace('SCORE', 'SCORE1')}</resprocessing>`;
  const { question } = await readOneItem(item(html('По порядку') + list, own, { points: '' }));
  expect(question.points).toBe(5);
});
