import { expect, test } from 'vitest';
import { tools } from '#interchange/testing/looks.ts';
import {
  and,
  choices,
  equal,
  feedback,
  html,
  item,
  not,
  or,
  plain,
  processing,
  quiz,
  rule,
  typed,
  xmlFile,
} from '#interchange/testing/qti1-xml.ts';
import { readQti1 } from './read.ts';

const readItems = (items: string) => readQti1(xmlFile(quiz(items)), tools);
async function readOne(xml: string) {
  const { items, refused } = await readItems(xml);
  const [only] = items;
  if (!only || refused.length > 0) throw new Error(JSON.stringify(refused));
  return only;
}
const set = (value: number | string) => ['Set', value] as const;
const other = '<other/>';

test('a note of another system beside the field is no field', async () => {
  const note = '<response_extension><grading_type>0</grading_type></response_extension>';
  const { question, losses } = await readOne(
    item(
      `${html('Что?')}${note}${choices({ a: 'нет', b: 'да' })}`,
      processing([rule(equal('b'), set(100), { stops: true })]),
      { kind: 'multiple_choice_question', points: '1' },
    ),
  );
  expect(question).toMatchObject({
    text: 'Что?',
    options: [{ isRight: false }, { isRight: true }],
  });
  expect(losses).toEqual([]);
});

test('one choice of Canvas: texts, key, points, and each feedback at its answer', async () => {
  const { question, losses } = await readOne(
    item(
      html(
        '<p>Сколько будет <img class="equation_image" data-equation-content="2^2" src="/equation_images/x" alt="LaTeX: 2^2"></p>',
      ) + choices({ a: '3', b: '4' }),
      processing([
        rule(other, null, { shows: ['general_fb'], stops: false }),
        rule(equal('a'), null, { shows: ['a_fb'], stops: false }),
        rule(equal('b'), set(100), { shows: ['correct_fb'], stops: true }),
        rule(other, null, { shows: ['general_incorrect_fb'], stops: false }),
      ]) +
        feedback({
          general_fb: '<p>Степень</p>',
          a_fb: 'Это не то',
          correct_fb: 'Верно',
          general_incorrect_fb: 'Посчитайте ещё раз',
        }),
      { kind: 'multiple_choice_question', points: '2.5' },
    ),
  );
  expect(losses).toEqual([]);
  expect(question).toMatchObject({
    kind: 'variant',
    text: 'Сколько будет $2^2$',
    points: 2.5,
    multiple: false,
    explanation: 'Степень',
    options: [
      { text: '3', isRight: false, feedback: 'Это не то\n\nПосчитайте ещё раз' },
      { text: '4', isRight: true, feedback: 'Верно' },
    ],
    origin: { kind: 'import', format: 'qti1' },
  });
});

test('a single choice reports several right options, partial points and penalties', async () => {
  const one = (...rules: string[]) =>
    readOne(item(html('Что?') + choices({ a: 'А', b: 'Б' }), processing(rules)));
  expect((await one(rule(equal('a') + equal('b'), set(100)))).losses.join()).toMatch(
    /верным остался первый/,
  );
  expect((await one(rule(equal('a'), set(100)), rule(equal('b'), set(40)))).losses.join()).toMatch(
    /Часть балла/,
  );
  expect((await one(rule(other, null))).losses).toEqual(['Верный вариант не отмечен']);
  expect((await one(rule('<var_extension/>', set(100)))).losses).toContain(
    'Правила проверки прочитаны не все: проверьте ключ',
  );
});

const many = (...rules: string[]) =>
  readOne(
    item(
      html('Какие?') + choices({ a: 'А', b: 'Б', c: 'В' }, { cardinality: 'Multiple' }),
      processing(rules),
    ),
  );
const rightOf = ({ question }: Awaited<ReturnType<typeof readOne>>) =>
  question.kind === 'variant' ? question.options.map(({ isRight }) => isRight) : null;

test('several choices: all or nothing with negations, parts by points, and what is scored otherwise', async () => {
  const whole = await many(rule(and(equal('a'), not(equal('b')), equal('c')), set(100)));
  expect(rightOf(whole)).toEqual([true, false, true]);
  expect(whole).toMatchObject({
    losses: [],
    question: { multiple: true, scoring: 'allOrNothing' },
  });
  const parts = await many(
    rule(equal('a'), ['Add', 50]),
    rule(equal('c'), ['Add', 50]),
    rule(equal('b'), ['Add', -50]),
  );
  expect(rightOf(parts)).toEqual([true, false, true]);
  expect(parts).toMatchObject({ losses: [], question: { scoring: 'partial' } });
  const open = await many(rule(and(equal('a'), equal('c')), set(100)));
  expect(rightOf(open)).toEqual([true, false, true]);
  expect(open.losses.join()).toMatch(/Лишний выбранный вариант/);
  const uneven = await many(rule(equal('a'), ['Add', 70]), rule(equal('c'), ['Add', 30]));
  expect(uneven.losses.join()).toMatch(/считались иначе/);
});

test('typed answers: several accepted ones, their shares and feedback; a gap in the middle of a text', async () => {
  const { question, losses } = await readOne(
    item(
      html('Столица') + typed() + html('стоит на Неве.'),
      processing([
        rule(equal('Питер'), set(50), { shows: ['short'] }),
        rule(equal('Санкт-Петербург') + equal('Петербург'), set(100)),
      ]) + feedback({ short: 'Полное имя длиннее' }),
      { kind: 'short_answer_question' },
    ),
  );
  expect(losses).toEqual([]);
  expect(question).toMatchObject({
    kind: 'open',
    input: 'line',
    text: 'Столица \\_\\_\\_\\_\\_ стоит на Неве.',
    accepted: [
      { text: 'Питер', share: 0.5, feedback: 'Полное имя длиннее' },
      { text: 'Санкт-Петербург', share: 1 },
      { text: 'Петербург', share: 1 },
    ],
  });
});

const bounds = (low: number | string, high: number | string) =>
  `<vargte respident="r">${low}</vargte><varlte respident="r">${high}</varlte>`;
const number = (...rules: string[]) =>
  readOne(item(html('Сколько?') + typed('fibtype="Decimal"'), processing(rules)));

test('numbers: exact, with a margin, a range, as Canvas and Blackboard write them', async () => {
  const canvas = await number(
    rule(or(equal('42.0'), and(bounds('41.5', '42.5'))), set(100)),
    rule(bounds(1, 2), set(100)),
  );
  expect(canvas).toMatchObject({
    losses: [],
    question: {
      input: 'number',
      tolerance: 0.5,
      accepted: [{ text: '42' }, { text: '1.5' }],
    },
  });
  const blackboard = await number(rule(bounds('3.9', '4.1') + equal('4.0'), set('SCORE.max')));
  expect(blackboard).toMatchObject({
    losses: [],
    question: { tolerance: 0.1, accepted: [{ text: '4' }] },
  });
  const margin = await number(
    rule('<varequal respident="r" margintype="percent" margin="10">200</varequal>', set(100)),
  );
  expect(margin.question).toMatchObject({ tolerance: 20, accepted: [{ text: '200' }] });
  const uneven = await number(rule(or(equal('4'), and(bounds(3, 6))), set(100)));
  expect(uneven.question).toMatchObject({ tolerance: 1.5, accepted: [{ text: '4.5' }] });
  expect(uneven.losses.join()).toMatch(/середина промежутка/);
  const half = await number(rule('<vargte respident="r">5</vargte>', set(100)));
  expect(half.losses.join()).toMatch(/без второй границы/);
  expect(half.question).toMatchObject({ accepted: [] });
});

test('Canvas pairs: shared options, equal parts; reports other parts', async () => {
  const sides = { 1: 'Париж', 2: 'Рим', 3: 'Осло' };
  const pairs = (one: number, two: number) =>
    readOne(
      item(
        html('Столицы') +
          choices(sides, { ident: 'x', own: plain('Франция') }) +
          choices(sides, { ident: 'y', own: plain('Италия') }),
        processing([rule(equal('1', 'x'), ['Add', one]), rule(equal('2', 'y'), ['Add', two])]),
        { kind: 'matching_question', points: '2' },
      ),
    );
  const { question, losses } = await pairs(50, 50);
  expect(losses).toEqual([]);
  expect(question).toMatchObject({
    kind: 'compliance',
    text: 'Столицы',
    points: 2,
    left: [{ text: 'Франция' }, { text: 'Италия' }],
    right: [{ text: 'Париж' }, { text: 'Рим' }, { text: 'Осло' }],
  });
  if (question.kind !== 'compliance') throw new Error('no pairs');
  expect(
    question.pairs.map(
      ({ rightId }) => question.right.find((one) => one.rightId === rightId)?.text,
    ),
  ).toEqual(['Париж', 'Рим']);
  expect((await pairs(70, 30)).losses).toEqual(['Пары давали разные баллы, здесь – равные']);
});

test('essays and files are graded by hand; a typed answer without a key is reported', async () => {
  const essay = await readOne(
    item(html('Опишите') + typed(), processing([rule(other, null)]), { kind: 'essay_question' }),
  );
  expect(essay).toMatchObject({
    losses: [],
    question: { kind: 'open', input: 'text', accepted: [] },
  });
  const file = await readOne(item(html('Приложите'), '', { kind: 'file_upload_question' }));
  expect(file).toMatchObject({ losses: [], question: { kind: 'file', text: 'Приложите' } });
  const bare = await readOne(item(html('Кто?') + typed(), ''));
  expect(bare.losses).toEqual(['Верных ответов в файле нет: ответ проверит преподаватель']);
});

test('kinds without a counterpart are refused by name, the others come in', async () => {
  const lists = choices({ a: 'А' }, { ident: 'response_x', own: plain('x') });
  const { items, refused } = await readItems(
    [
      item(html('Длинный список') + lists, '', { kind: 'assLongMenu', title: 'Свой' }),
      item(html('Списки'), '', { kind: 'multiple_dropdowns_question' }),
      item(html('Числа') + typed(), '<itemproc_extension><calculated/></itemproc_extension>'),
      item(html('Порядок') + choices({ a: 'А', b: 'Б' }, { cardinality: 'Ordered' }), ''),
      item(html('Место') + '<response_xy ident="r"><render_hotspot/></response_xy>', ''),
      item(html('Группы') + '<response_grp ident="r"/>', ''),
      item(html('Да?') + choices({ a: 'Да', b: 'Нет' }), processing([rule(equal('a'), set(100))])),
      item(html('Текст'), '', { kind: 'text_only_question' }),
    ].join(''),
  );
  expect(items).toHaveLength(1);
  expect(refused.map(({ reason }) => reason.split(':')[0])).toEqual([
    'Длинные списки внутри текста (Long Menu)',
    'Это пояснение, на него не отвечают. Добавьте его в текст вопроса',
    'Вычисляемый вопрос',
    'Верного порядка всех пунктов в файле нет. Составьте вопрос в редакторе',
    'Выбор места на картинке из этого формата не переносится. Сделайте в редакторе выбор области на картинке',
    'Соответствие или группы на поле с перетаскиванием (response_grp)',
    'Это пояснение, на него не отвечают. Добавьте его в текст вопроса',
  ]);
  expect(refused[0]?.excerpt).toBe('Свой: Длинный список');
});

test('a Canvas text with questions becomes their shared text and is reported', async () => {
  const child = (title: string) =>
    item(
      html(title) + choices({ a: 'Да', b: 'Нет' }),
      processing([rule(equal('a'), set(100))]),
    ).replace(
      '<qtimetadata>',
      '<qtimetadata><qtimetadatafield><fieldlabel>parent_stimulus_item_ident</fieldlabel><fieldentry>s1</fieldentry></qtimetadatafield>',
    );
  const text = item(html('<p>Отрывок</p>'), '', { kind: 'text_only_question' });
  const { items, refused, notes } = await readItems(
    text.replace('ident="i"', 'ident="s1"') + child('Кто?') + child('Где?'),
  );
  expect(refused).toEqual([]);
  expect(notes.join()).toMatch(/Пояснение «Отрывок» .* стало общим текстом вопросов к нему/);
  expect(items.map(({ losses }) => losses)).toEqual([[], []]);
  const passages = items.map(({ question }) => question.passage);
  expect(passages[0]?.text).toBe('Отрывок');
  expect(passages[1]).toEqual(passages[0]);
  const plain = item(
    html('Чей?') + choices({ a: 'Да', b: 'Нет' }),
    processing([rule(equal('a'), set(100))]),
  );
  const bySection = await readItems(
    text.replace('ident="i"', 'ident="s1"') +
      `<section parent_stimulus_item_ident="s1">${plain}</section>`,
  );
  expect(bySection.items.map(({ question }) => question.passage?.text)).toEqual(['Отрывок']);
  const alone = await readItems(textOnly('Другой отрывок') + child('Кто?'));
  expect(alone.items[0]?.question.passage).toBeUndefined();
  expect(alone.items[0]?.losses.join()).toMatch(/Общий текст нескольких вопросов не переносится/);
});

const textOnly = (text: string) => item(html(text), '', { kind: 'text_only_question' });

test('a text of Canvas that names no questions is shared by those after it, as Moodle’s descriptions are', async () => {
  const interaction = (title: string) =>
    item(html(title) + choices({ a: 'Да', b: 'Нет' }), processing([rule(equal('a'), set(100))]));
  const { items, refused, notes } = await readItems(
    [
      interaction('А?'),
      textOnly('<p>Отрывок 1</p>'),
      interaction('Б?'),
      interaction('В?'),
      textOnly('Отрывок 2'),
      `<section title="Группа 1">${interaction('Г?')}</section>`,
      textOnly('Отрывок 3'),
    ].join(''),
  );
  expect(items.map(({ question }) => [question.text, question.passage?.text ?? null])).toEqual([
    ['А?', null],
    ['Б?', 'Отрывок 1'],
    ['В?', 'Отрывок 1'],
    ['Г?', 'Отрывок 2'],
  ]);
  expect(items[1]?.question.passage).toEqual(items[2]?.question.passage);
  expect(notes).toEqual([
    expect.stringMatching(
      /^Пояснение «Отрывок 1» \(строка \d+\) стало общим текстом вопросов после него: проверьте, ко всем ли оно относится$/,
    ),
    expect.stringContaining('Пояснение «Отрывок 2»'),
  ]);
  expect(refused).toMatchObject([
    { excerpt: 'Отрывок 3', reason: expect.stringMatching(/^Это пояснение/) },
  ]);
});

const yes = (title: string) =>
  item(html(title) + choices({ a: 'Да', b: 'Нет' }), processing([rule(equal('a'), set(100))]));
const passagesOf = ({ items }: Awaited<ReturnType<typeof readItems>>) =>
  items.map(({ question }) => [question.text, question.passage?.text ?? null]);

test.each([
  ['that is too long', 'т'.repeat(30_000), /^Пояснение длиннее/],
  ['beyond what is parsed', 'т'.repeat(240_000), /^Пояснение длиннее/],
  ['without text', ' ', /^Это пояснение/],
])(
  'a text of Canvas %s ends the former one and is refused with its reason',
  async (_, text, why) => {
    const read = await readItems(textOnly('Отрывок') + yes('А?') + textOnly(text) + yes('Б?'));
    expect(passagesOf(read)).toEqual([
      ['А?', 'Отрывок'],
      ['Б?', null],
    ]);
    expect(read.refused).toMatchObject([{ reason: expect.stringMatching(why) }]);
  },
);

test('a text between the questions ends with its section, the groups inside share it', async () => {
  const section = (...inner: string[]) => `<section title="Раздел">${inner.join('')}</section>`;
  const read = await readItems(
    [
      section(textOnly('Первый'), yes('А?'), section(yes('Б?')), yes('В?')),
      section(yes('Г?')),
      textOnly('Второй'),
      section(yes('Д?')),
      section(yes('Е?'), textOnly('Третий'), yes('Ж?')),
      yes('З?'),
      section(textOnly('Четвёртый')),
      yes('И?'),
    ].join(''),
  );
  expect(passagesOf(read)).toEqual([
    ['А?', 'Первый'],
    ['Б?', 'Первый'],
    ['В?', 'Первый'],
    ['Г?', null],
    ['Д?', 'Второй'],
    ['Е?', 'Второй'],
    ['Ж?', 'Третий'],
    ['З?', null],
    ['И?', null],
  ]);
  expect(read.refused).toMatchObject([{ excerpt: 'Четвёртый' }]);
});

test('a text with only refused questions is refused too, not reported as shared', async () => {
  const text = textOnly('Отрывок').replace('ident="i"', 'ident="s1"');
  const { items, refused, notes } = await readItems(
    `${text}<section parent_stimulus_item_ident="s1">${item(html('Место') + '<response_xy ident="r"/>', '')}</section>`,
  );
  expect(items).toEqual([]);
  expect(refused.map(({ excerpt }) => excerpt)).toContain('Отрывок');
  expect(notes).toEqual([]);
});

test.each(['text_only_question', 'parent'])(
  'an endless text without an answer (%s) is refused alone, the others come in',
  async (kind) => {
    const endless = textOnly(`а ${'бв '.repeat(40_000)}`).replace('ident="i"', 'ident="s1"');
    const interaction = item(
      html('Да?') + choices({ a: 'Да', b: 'Нет' }),
      processing([rule(equal('a'), set(100))]),
    );
    const { items, refused } = await readItems(
      endless +
        (kind === 'parent'
          ? `<section parent_stimulus_item_ident="s1">${interaction}</section>`
          : interaction),
    );
    expect(items.map(({ question }) => question.passage ?? null)).toEqual([null]);
    expect(refused).toHaveLength(1);
  },
);

test('banks give their name as the topic, groups say what is drawn, missing banks are named', async () => {
  const one = item(
    html('Да?') + choices({ a: 'Да', b: 'Нет' }),
    processing([rule(equal('a'), set(100))]),
  );
  const group = (inner: string, bank = '') =>
    `<section title="Группа 1"><selection_ordering><selection><selection_number>1</selection_number>${bank}<selection_extension><points_per_item>3</points_per_item></selection_extension></selection></selection_ordering>${inner}</section>`;
  const { items, refused } = await readItems(
    group(one + one) + group('', '<sourcebank_ref>b1</sourcebank_ref>'),
  );
  expect(items[0]).toMatchObject({
    question: { points: 3 },
    losses: ['Из группы «Группа 1» выбиралось вопросов: 1 из 2; здесь войдут все'],
  });
  expect(refused).toMatchObject([{ excerpt: 'Группа 1', reason: expect.stringMatching(/банка/) }]);
  const bank = await readQti1(
    xmlFile(
      `<questestinterop><objectbank ident="b1"><qtimetadata><qtimetadatafield><fieldlabel>bank_title</fieldlabel><fieldentry>Механика</fieldentry></qtimetadatafield></qtimetadata>${one}</objectbank></questestinterop>`,
    ),
    tools,
  );
  expect(bank.items[0]?.question).toMatchObject({ topic: 'Механика' });
});

test('points: named ones, the maximum of the score, and percents that name none', async () => {
  const with_ = (maximum: string, points: string) =>
    readItems(
      item(
        html('Да?') + choices({ a: 'Да', b: 'Нет' }),
        processing([rule(equal('a'), set('SCORE.max'))], maximum),
        { points },
      ),
    );
  expect((await with_('100', '4')).items[0]?.question.points).toBe(4);
  expect((await with_('5', '')).items[0]?.question.points).toBe(5);
  const percent = await with_('100', '');
  expect(percent.items[0]?.question.points).toBe(1);
  expect(percent.notes.join()).toMatch(/поставлен 1 балл/);
});

test('plain text that looks like HTML stays text; an embedded picture is stored', async () => {
  const { items, pictures } = await readItems(
    item(
      `<material><mattext texttype="text/plain">Тег &lt;b&gt; и 2 &lt; 3</mattext><matimage imagtype="image/gif" embedded="base64">R0lGODlhAQABAAAAACwAAAAAAQABAAA=</matimage></material>` +
        choices({ a: '<i>', b: 'нет' }),
      processing([rule(equal('a'), set(100))]),
    ),
  );
  expect(items[0]?.question).toMatchObject({
    text: `Тег \\<b> и 2 < 3 ![](file:${pictures[0]?.key})`,
    options: [{ text: '\\<i>' }, {}],
  });
});

test('lines and spaces that are meant as typed stay so', async () => {
  const text = (space: string) =>
    `<material><mattext texttype="text/plain"${space}>\n  if a:\n    b = 1\n</mattext></material>`;
  const interaction = (space: string) =>
    readOne(
      item(text(space) + choices({ a: 'да', b: 'нет' }), processing([rule(equal('a'), set(100))])),
    );
  expect((await interaction(' xml:space="preserve"')).question.text).toMatch(
    /if a:\n[\u00a0\s]{4}b = 1$/,
  );
  expect((await interaction('')).question.text).toBe('if a: b = 1');
});

test('reports references to banks, shared texts and rules of essays', async () => {
  const { refused } = await readItems(
    '<bankentry_item sourcebank_ref="b1" item_ref="q7" points_possible="2.0"/>',
  );
  expect(refused).toMatchObject([{ reason: expect.stringMatching(/банка, которого в файле нет/) }]);
  const essay = await readOne(
    `<item title="Сочинение" parent_stimulus_item_ident="s"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>essay_question</fieldentry></qtimetadatafield><qtimetadatafield><fieldlabel>grading_notes</fieldlabel><fieldentry>ищите тезис</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation>${html('О лете')}<response_str ident="r" word_limit_enabled="Yes"><render_fib/></response_str></presentation></item>`,
  );
  expect(essay.losses).toEqual([
    'Общий текст нескольких вопросов не переносится: добавьте его в текст вопроса',
    'Заметки для проверяющего не переносятся',
    'Границы числа слов не переносятся',
  ]);
});

test('reports an option with a fixed place among shuffled ones', async () => {
  const fixed = choices({ a: '3', b: 'Всё названное' })
    .replace('<render_choice', '<render_choice shuffle="Yes"')
    .replace('<response_label ident="b"', '<response_label ident="b" rshuffle="No"');
  expect(fixed).toContain('rshuffle');
  const { question, losses } = await readOne(
    item(html('Сколько?') + fixed, processing([rule(equal('b'), set(100))])),
  );
  expect(question).toMatchObject({ shuffle: true });
  expect(losses).toEqual(['Варианты, закреплённые на своём месте, тоже перемешиваются']);
});

test('several sufficient options all become right, each with its part, and are reported', async () => {
  const list = choices({ a: '2', b: '4', c: '5' }, { cardinality: 'Multiple' });
  const rules = [rule(equal('a'), ['Set', 100]), rule(equal('b'), ['Set', 100])];
  const { question, losses } = await readOne(item(`${plain('Чётные?')}${list}`, processing(rules)));
  expect(question).toMatchObject({
    multiple: true,
    scoring: 'partial',
    options: [{ isRight: true }, { isRight: true }, { isRight: false }],
  });
  expect(losses).toEqual([expect.stringContaining('хватало одного')]);
});

test('a rule without any condition is for every other answer', async () => {
  const rules = [rule(equal('a'), ['Set', 1]), rule('', ['Set', 0])];
  const { question, losses } = await readOne(
    item(
      `${plain('Сколько?')}${choices({ a: '4', b: '5' }, { cardinality: 'Single' })}`,
      processing(rules),
    ),
  );
  expect(question).toMatchObject({ options: [{ isRight: true }, { isRight: false }] });
  expect(losses).toEqual([]);
});

test('an option that gives half beside one that gives all is not right', async () => {
  const list = choices({ a: 'всё', b: 'половина', c: 'ничего' }, { cardinality: 'Multiple' });
  const rules = [rule(equal('b'), ['Set', 50]), rule(equal('a'), ['Set', 100])];
  const { question } = await readOne(item(`${plain('Что?')}${list}`, processing(rules)));
  expect(question).toMatchObject({
    options: [{ isRight: true }, { isRight: false }, { isRight: false }],
  });
});

test('a rule without a condition that only shows a text shows it to everybody', async () => {
  const rules = [rule(equal('a'), ['Set', 100]), rule('', null, { shows: ['g'], stops: false })];
  const { question } = await readOne(
    item(
      `${plain('Сколько?')}${choices({ a: '4', b: '5' })}`,
      `${processing(rules)}${feedback({ g: 'Общее пояснение' })}`,
    ),
  );
  expect(question.explanation).toBe('Общее пояснение');
});
