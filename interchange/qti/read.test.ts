import { strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { writeArchive } from '#interchange/archive.ts';
import { tools } from '#interchange/testing/looks.ts';
import { PICTURE_KEY, PICTURES } from '#interchange/testing/question-arbitrary.ts';
import {
  declaration,
  correct,
  mapping,
  template,
  item,
  choices,
} from '#interchange/testing/qti-xml.ts';
import { readQti } from './read.ts';

const readText = (text: string) => readQti({ name: 'item.xml', bytes: strToU8(text) }, tools);
async function readOne(inner: string) {
  const { items, refused } = await readText(item(inner));
  const [only] = items;
  if (!only) throw new Error(JSON.stringify(refused));
  return only;
}

test('one choice: prompt, options, their feedback, points and shuffling', async () => {
  const { question, losses } = await readOne(
    `${declaration('identifier', 'single', correct('B'))}
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float" normalMaximum="2.5"/>
    <itemBody><p>Дано <math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>.</p>
    <choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1"><prompt>Что <em>это</em>?</prompt>
    <simpleChoice identifier="A">раз<feedbackInline outcomeIdentifier="F" identifier="A" showHide="show">нет</feedbackInline></simpleChoice>
    <simpleChoice identifier="B">два</simpleChoice></choiceInteraction></itemBody>
    ${template('match_correct')}
    <modalFeedback outcomeIdentifier="F" identifier="B" showHide="show">да</modalFeedback>
    <modalFeedback outcomeIdentifier="F" identifier="SOLUTION" showHide="show">потому что</modalFeedback>
    <modalFeedback outcomeIdentifier="F" identifier="incorrect" showHide="show">неверно</modalFeedback>`,
  );
  expect(question).toMatchObject({
    kind: 'variant',
    title: 'Заголовок',
    text: 'Дано $x^{2}$.\n\nЧто *это*?',
    points: 2.5,
    multiple: false,
    shuffle: true,
    explanation: 'потому что',
    options: [
      { text: 'раз', isRight: false, feedback: 'нет' },
      { text: 'два', isRight: true, feedback: 'да' },
    ],
  });
  expect(losses).toEqual(['Отзывы на неверный ответ не переносятся']);
});

test('tags stored as text stay text and are reported, except in code', async () => {
  const read = (option: string) =>
    readOne(
      `${declaration('identifier', 'single', correct('A'))}<itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>Что?</prompt><simpleChoice identifier="A">${option}</simpleChoice><simpleChoice identifier="B">a &lt; b</simpleChoice></choiceInteraction></itemBody>${template('match_correct')}`,
    );
  const written = await read('<![CDATA[<p>раз</p>]]>');
  expect(written.losses).toEqual(['Теги HTML записаны в файле как текст и видны ученику']);
  expect(written.question).toMatchObject({
    options: [{ text: '\\<p>раз\\</p>' }, { text: 'a < b' }],
  });
  expect((await read('<code>&lt;p&gt;</code>')).losses).toEqual([]);
});

test('reports points that depend on another score, but not a minimum of 0', async () => {
  const read = (more: string) =>
    readOne(
      `${declaration('identifier', 'single', correct('A'))}<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/><outcomeDeclaration identifier="SCORE1" cardinality="single" baseType="float"/><itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">${choices('A', 'B')}</choiceInteraction></itemBody><responseProcessing><responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>${more}</responseProcessing>`,
    );
  const when = (condition: string, points: number) =>
    `<responseCondition><responseIf>${condition}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">${points}</baseValue></setOutcomeValue></responseIf></responseCondition>`;
  const zero = '<variable identifier="SCORE"/><baseValue baseType="float">0</baseValue>';
  const one = '<variable identifier="SCORE"/><baseValue baseType="float">1</baseValue>';
  expect((await read(when(`<equal toleranceMode="exact">${one}</equal>`, 2))).losses).not.toEqual(
    [],
  );
  expect((await read(when(`<lt>${zero}</lt>`, 0))).losses).toEqual([]);
});

test('several choices: by parts when mapped, whole when matched; other scoring is reported', async () => {
  const many = (processing: string, map: string) =>
    readOne(
      `${declaration('identifier', 'multiple', correct('A', 'B') + map)}<itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="0">${choices('A', 'B', 'C')}</choiceInteraction></itemBody>${template(processing)}`,
    );
  expect(
    await many('map_response', mapping({ A: 1, B: 1, C: -1 }, 'lowerBound="0"')),
  ).toMatchObject({
    losses: [],
    question: { multiple: true, scoring: 'partial', points: 2 },
  });
  expect((await many('match_correct', '')).question).toMatchObject({
    scoring: 'allOrNothing',
    points: 1,
  });
  expect((await many('map_response', mapping({ A: 1, B: 2, C: 0 }))).losses).toHaveLength(2);
});

test('gaps in code stand in it; a lone field there is its place', async () => {
  const field = (name: string) => `<textEntryInteraction responseIdentifier="${name}"/>`;
  const keyed = (name: string) => declaration('string', 'single', correct('i'), name);
  const several = await readOne(
    `${keyed('A')}${keyed('B')}<itemBody><pre><code>for ${field('A')}: print(${field('B')})</code></pre></itemBody>${template('match_correct')}`,
  );
  expect(several.question.text).toContain('for [[1]]: print([[2]])');
  const lone = await readOne(
    `${keyed('A')}<itemBody><p>Код <code>n = ${field('A')}(a)</code></p></itemBody>${template('match_correct')}`,
  );
  expect(lone.question).toMatchObject({ kind: 'open', text: 'Код `n = _____(a)`' });
});

test('reports one answer list for several gaps, a bonus for all, and pairs without a key', async () => {
  const shared = '<textEntryInteraction responseIdentifier="RESPONSE"/>';
  const gaps = await readOne(
    `${declaration('string', 'multiple', correct('a', 'b'))}<itemBody><p>${shared} и ${shared}</p></itemBody>${template('match_correct')}`,
  );
  expect(gaps.losses.join()).toMatch(/общим списком/);
  const bonus = (points: number) =>
    readOne(
      `${declaration('identifier', 'multiple', correct('A', 'B') + mapping({ A: 2, B: 2, C: -2 }))}<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/><itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="0">${choices('A', 'B', 'C')}</choiceInteraction></itemBody><responseProcessing><setOutcomeValue identifier="SCORE"><mapResponse identifier="RESPONSE"/></setOutcomeValue><responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match><setOutcomeValue identifier="SCORE"><baseValue baseType="float">${points}</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`,
    );
  expect((await bonus(5)).losses.join()).toMatch(/больше, чем за каждый/);
  expect((await bonus(4)).losses.join()).not.toMatch(/больше, чем за каждый/);
  const set = (...names: string[]) =>
    `<simpleMatchSet>${names.map((name) => `<simpleAssociableChoice identifier="${name}" matchMax="1">${name}</simpleAssociableChoice>`).join('')}</simpleMatchSet>`;
  const pairs = await readOne(
    `${declaration('directedPair', 'multiple')}<itemBody><matchInteraction responseIdentifier="RESPONSE" maxAssociations="0"><prompt>Пары</prompt>${set('A', 'B')}${set('C', 'D')}</matchInteraction></itemBody>`,
  );
  expect(pairs.losses.join()).toMatch(/Верные пары не отмечены/);
});

test('typed answers: shares, numbers with a tolerance, the gap in its sentence', async () => {
  const entry = '<textEntryInteraction responseIdentifier="RESPONSE"/>';
  const text = await readOne(
    `${declaration('string', 'single', correct('York') + mapping({ York: 2, Yorks: 1 }))}<itemBody><p>Сын ${entry}.</p></itemBody>${template('map_response')}`,
  );
  expect(text.question).toMatchObject({
    kind: 'open',
    input: 'line',
    text: 'Сын \\_\\_\\_\\_\\_.',
    points: 2,
    accepted: [
      { text: 'York', share: 1 },
      { text: 'Yorks', share: 0.5 },
    ],
  });
  const number = await readOne(
    `${declaration('float', 'single', correct('9.8'))}<itemBody><p>g?</p><p>${entry}</p></itemBody>
    <responseProcessing><responseCondition><responseIf><equal toleranceMode="absolute" tolerance="0.1 0.2"><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>
    <setOutcomeValue identifier="SCORE"><baseValue baseType="float">3</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`,
  );
  expect(number).toMatchObject({
    losses: ['Допуск вниз и вверх был разным: взят больший'],
    question: {
      input: 'number',
      text: 'g?',
      points: 3,
      tolerance: 0.2,
      accepted: [{ text: '9.8' }],
    },
  });
});

test('pairs, texts and files; several pairs on both sides are refused', async () => {
  const set = (...names: string[]) =>
    `<simpleMatchSet>${names.map((name) => `<simpleAssociableChoice identifier="${name}" matchMax="4">${name}</simpleAssociableChoice>`).join('')}</simpleMatchSet>`;
  const pairs = (...values: string[]) =>
    item(
      `${declaration('directedPair', 'multiple', correct(...values) + mapping(Object.fromEntries(values.map((value) => [value, 1]))))}<itemBody><matchInteraction responseIdentifier="RESPONSE" shuffle="true">${set('A', 'B')}${set('X', 'Y', 'Z')}</matchInteraction></itemBody>${template('map_response')}`,
    );
  const [one] = (await readText(pairs('A X', 'B X'))).items;
  expect(one?.losses).toEqual([]);
  expect(one?.question).toMatchObject({
    kind: 'compliance',
    points: 2,
    left: [{ text: 'A' }, { text: 'B' }],
    right: [{ text: 'X' }, { text: 'Y' }, { text: 'Z' }],
  });
  const [turned] = (await readText(pairs('A X', 'A Y'))).items;
  expect(turned?.question).toMatchObject({ left: [{ text: 'X' }, { text: 'Y' }, { text: 'Z' }] });
  expect((await readText(pairs('A X', 'A Y', 'B X'))).refused[0]?.reason).toMatch(/одна пара/);
  const essay = `<itemBody><rubricBlock view="scorer"><p>критерии</p></rubricBlock><extendedTextInteraction responseIdentifier="RESPONSE"><prompt>Пишите</prompt></extendedTextInteraction></itemBody>`;
  expect(await readOne(declaration('string', 'single') + essay)).toMatchObject({
    question: { kind: 'open', input: 'text', accepted: [], text: 'Пишите' },
    losses: ['Критерии для проверяющего не переносятся'],
  });
  expect(
    (
      await readOne(
        `${declaration('file', 'single')}<itemBody><p>Файл</p><uploadInteraction responseIdentifier="RESPONSE" type="application/pdf"/></itemBody>`,
      )
    ).question,
  ).toMatchObject({ kind: 'file', accept: ['application/pdf'] });
});

/** A package with one item and the picture of the samples, which is 1,000 × 800. */
function packaged(inner: string) {
  const picture = PICTURES.get(PICTURE_KEY)?.bytes ?? new Uint8Array();
  const bytes = writeArchive(
    new Map([
      [
        'imsmanifest.xml',
        strToU8(
          '<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources><resource identifier="r" type="imsqti_item_xmlv2p1" href="i.xml"><file href="i.xml"/></resource></resources></manifest>',
        ),
      ],
      ['i.xml', strToU8(item(inner))],
      ['map.png', picture],
      ['other.png', picture],
    ]),
  );
  return readQti({ name: 'package.zip', bytes }, tools);
}
const OBJECT = '<object type="image/png" data="map.png" width="200" height="100">карта</object>';
const spot = (name: string, shape: string, coords: string, more = '') =>
  `<hotspotChoice identifier="${name}" shape="${shape}" coords="${coords}" ${more}/>`;

test('hotspots become options on the picture of the text: shapes, labels, the key by a mapping', async () => {
  const { items } = await packaged(
    `${declaration('identifier', 'multiple', correct('A', 'C') + mapping({ A: 1, B: -1, C: 1, D: -1, E: -1 }))}
    <itemBody><p>Отметьте города.</p><hotspotInteraction responseIdentifier="RESPONSE" maxChoices="0"><prompt>Какие?</prompt>${OBJECT}
    ${spot('A', 'circle', '100,50,20')}${spot('B', 'rect', '150, 80, 100, 60', 'hotspotLabel="Тверь *"')}${spot('C', 'ellipse', '20,20,40,10')}
    ${spot('D', 'poly', '0,0,50,0,25,50')}${spot('E', 'default', '')}</hotspotInteraction></itemBody>${template('map_response')}`,
  );
  const [only] = items;
  expect(only?.question).toMatchObject({
    kind: 'variant',
    multiple: true,
    points: 2,
    text: expect.stringMatching(/^Отметьте города\.\n\nКакие\?\n\n!\[карта\]\(file:[\w-]+\)$/),
    options: [
      {
        text: 'А',
        isRight: true,
        area: { shape: 'ellipse', left: 0.4, top: 0.3, width: 0.2, height: 0.4 },
      },
      {
        text: 'Тверь \\*',
        area: { shape: 'rectangle', left: 0.5, top: 0.6, width: 0.25, height: 0.2 },
      },
      // The part outside of the picture is cut off.
      {
        text: 'Б',
        isRight: true,
        area: { shape: 'ellipse', left: 0, top: 0.1, width: 0.3, height: 0.2 },
      },
      { text: 'В', area: { shape: 'rectangle', left: 0, top: 0, width: 0.25, height: 0.5 } },
      { text: 'Г', isRight: false },
    ],
  });
  expect(only?.losses).toEqual([
    'Многоугольник на картинке стал прямоугольником вокруг него',
    'Место без своей области на картинке осталось только в списке',
  ]);
});

test.each([
  ['без размеров', OBJECT.replace(' width="200"', ''), /Размеры картинки/],
  ['без файла', OBJECT.replace('map.png', 'нет.png'), /Картинки, на которой отвечают, в файле нет/],
])('hotspots on a picture %s are refused with the reason', async (_, object, reason) => {
  const { items, refused } = await packaged(
    `${declaration('identifier', 'single', correct('A'))}<itemBody><p>Где?</p><hotspotInteraction responseIdentifier="RESPONSE" maxChoices="1">${object}${spot('A', 'rect', '0,0,9,9')}</hotspotInteraction></itemBody>`,
  );
  expect(items).toEqual([]);
  expect(refused[0]?.reason).toMatch(reason);
});

test('hotspots behind another picture are refused, as their areas would lie on that one', async () => {
  const { items, refused } = await packaged(
    `${declaration('identifier', 'single', correct('A'))}<itemBody><p>Где <img src="other.png" alt=""/>?</p><hotspotInteraction responseIdentifier="RESPONSE" maxChoices="1">${OBJECT}${spot('A', 'rect', '0,0,9,9')}</hotspotInteraction></itemBody>`,
  );
  expect(items).toEqual([]);
  expect(refused[0]?.reason).toMatch(/^Перед картинкой с местами стоит другая/);
});

test.each(['hottextInteraction', 'sliderInteraction', 'portableCustomInteraction', 'constructor'])(
  '%s is refused by name',
  async (name) => {
    const { refused } = await readText(
      item(`<itemBody><p>Текст</p><${name} responseIdentifier="RESPONSE"/></itemBody>`),
    );
    expect(refused[0]).toMatchObject({ excerpt: 'Текст' });
    expect(refused[0]?.reason.length).toBeGreaterThan(20);
  },
);

const value = (type: string, text: string | number) =>
  `<baseValue baseType="${type}">${text}</baseValue>`;
const variable = (name = 'RESPONSE') => `<variable identifier="${name}"/>`;
const score = (points: number, name = 'SCORE') =>
  `<setOutcomeValue identifier="${name}">${value('float', points)}</setOutcomeValue>`;
const rule = (condition: string, effect: string) =>
  `<responseCondition><responseIf>${condition}${effect}</responseIf></responseCondition>`;
const ruled = (...rules: string[]) => `<responseProcessing>${rules.join('')}</responseProcessing>`;
const entry =
  '<itemBody><p>Сколько?</p><p><textEntryInteraction responseIdentifier="RESPONSE"/></p></itemBody>';
const choose = (more = 'maxChoices="1"') =>
  `<itemBody><choiceInteraction responseIdentifier="RESPONSE" ${more}><prompt>Что?</prompt>${choices('A', 'B', 'C')}</choiceInteraction></itemBody>`;
const bound = (operator: string, number: number) =>
  `<${operator}>${variable()}${value('float', number)}</${operator}>`;
const isOne = (operator: string, text: string, type = 'identifier') =>
  `<${operator}>${variable()}${value(type, text)}</${operator}>`;
const RIGHT = `<match>${variable()}<correct identifier="RESPONSE"/></match>`;

test('a number between two bounds is an answer with a tolerance, and its points are those of the rule', async () => {
  const between = (lower: string, upper: string) =>
    `${declaration('float', 'single', correct('5.0'))}${entry}${ruled(rule(`<and><not><isNull>${variable()}</isNull></not>${bound(lower, 4.5)}${bound(upper, 5.5)}</and>`, score(2)))}`;
  const closed = await readOne(between('gte', 'lte'));
  expect(closed.question).toMatchObject({
    kind: 'open',
    input: 'number',
    points: 2,
    accepted: [{ text: '5', share: 1 }],
    tolerance: 0.5,
  });
  expect(closed.losses).toEqual([]);
  expect((await readOne(between('gt', 'lt'))).losses).toEqual([
    'Границы промежутка здесь тоже верны',
  ]);
});

test.each([
  ['one bound alone', bound('gt', 5)],
  [
    'a product',
    `<equal toleranceMode="exact"><product>${variable()}${value('float', 2)}</product>${value('float', 9)}</equal>`,
  ],
])('reports a rule that is not understood: %s', async (_, condition) => {
  const { losses } = await readOne(
    `${declaration('float', 'single', correct('7'))}${entry}${ruled(rule(condition, score(1)))}`,
  );
  expect(losses).toEqual(['Правила проверки прочитаны не все: проверьте ключ']);
});

test('each of several words counts alike; case-sensitive comparison is reported', async () => {
  const { question, losses } = await readOne(
    `${declaration('string', 'single')}${entry}${ruled(rule(`<or>${isOne('match', 'кот', 'string')}${isOne('match', 'кошка', 'string')}</or>`, score(1)))}`,
  );
  expect(question).toMatchObject({
    accepted: [
      { text: 'кот', share: 1 },
      { text: 'кошка', share: 1 },
    ],
  });
  expect(losses).toEqual(['Заглавные и строчные буквы здесь не различаются']);
});

test('a choice by rules: points for wrong options and penalties are reported', async () => {
  const { question, losses } = await readOne(
    `${declaration('identifier', 'single', correct('A'))}${choose()}<responseProcessing><responseCondition><responseIf>${RIGHT}${score(2)}</responseIf><responseElseIf>${isOne('match', 'B')}${score(1)}</responseElseIf><responseElse>${score(-1)}</responseElse></responseCondition></responseProcessing>`,
  );
  expect(question).toMatchObject({
    points: 2,
    options: [{ isRight: true }, { isRight: false }, {}],
  });
  expect(losses).toEqual([
    'Ответы, которые снимали баллы, не переносятся',
    'Часть балла за неполный ответ не переносится',
  ]);
});

test('points for each right option of several are added up, also where rules alone say which are right', async () => {
  const each = (name: string) =>
    rule(
      `<member>${value('identifier', name)}${variable()}</member>`,
      `<setOutcomeValue identifier="SCORE"><sum>${variable('SCORE')}${value('float', 1)}</sum></setOutcomeValue>`,
    );
  for (const key of [correct('A', 'C'), '']) {
    const { question, losses } = await readOne(
      `${declaration('identifier', 'multiple', key)}${choose('maxChoices="0"')}${ruled(each('A'), each('C'))}`,
    );
    expect(question).toMatchObject({
      points: 2,
      scoring: 'partial',
      options: [{ isRight: true }, { isRight: false }, { isRight: true }],
    });
    expect(losses).toEqual([
      'Неверный вариант снимает столько, сколько даёт верный; в файле было иначе',
    ]);
  }
});

test.each([
  [
    'a penalty for any other answer',
    'defaultValue="-0.5"',
    'Ответы, которые снимали баллы, не переносятся',
  ],
  [
    'a score below zero',
    'defaultValue="0" lowerBound="-2"',
    'Балл за вопрос здесь не бывает отрицательным',
  ],
])('reports %s in a mapping', async (_, more, loss) => {
  const { losses } = await readOne(
    `${declaration('identifier', 'single', correct('A') + mapping({ A: 1 }, more))}${choose()}${template('map_response')}`,
  );
  expect(losses).toEqual([loss]);
});

test('points are read from the only number, whatever its name', async () => {
  const { question } = await readOne(
    `${declaration('identifier', 'single', correct('A'))}<outcomeDeclaration identifier="POINTS" cardinality="single" baseType="float"/>${choose()}${ruled(rule(RIGHT, score(5, 'POINTS')))}`,
  );
  expect(question.points).toBe(5);
});

test('text hidden by an answer and feedback for a wrong answer are reported, not shown', async () => {
  const shows = (name: string) =>
    `<setOutcomeValue identifier="MESSAGE">${value('identifier', name)}</setOutcomeValue>`;
  const { question, losses } = await readOne(
    `${declaration('identifier', 'single', correct('A'))}<outcomeDeclaration identifier="MESSAGE" cardinality="single" baseType="identifier"/>
    <itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>Что?</prompt><simpleChoice identifier="A">а<feedbackInline outcomeIdentifier="MESSAGE" identifier="A" showHide="hide">до ответа</feedbackInline></simpleChoice><simpleChoice identifier="B">б</simpleChoice></choiceInteraction></itemBody>
    <responseProcessing><responseCondition><responseIf>${RIGHT}${shows('A')}</responseIf><responseElse>${shows('m2')}</responseElse></responseCondition></responseProcessing>
    <modalFeedback outcomeIdentifier="MESSAGE" identifier="A" showHide="hide">Подумайте ещё</modalFeedback>
    <modalFeedback outcomeIdentifier="MESSAGE" identifier="m2" showHide="show">Неверно</modalFeedback>`,
  );
  expect(question.explanation).toBeUndefined();
  expect(question).toMatchObject({ options: [{ text: 'а' }, { text: 'б' }] });
  expect(JSON.stringify(question)).not.toContain('feedback');
  expect(losses).toEqual([
    'Текст, который скрывался после ответа, не перенесён',
    'Отзывы на неверный ответ не переносятся',
  ]);
});

test('prefixes and the names of version 3 are read alike', async () => {
  const body = (q: (name: string) => string, response: string) =>
    `<${q('responseDeclaration')} identifier="R" cardinality="single" ${response.includes('-') ? 'base-type' : 'baseType'}="identifier"><${q('correctResponse')}><${q('value')}>B</${q('value')}></${q('correctResponse')}></${q('responseDeclaration')}><${q('itemBody')}><p>Текст</p><${q('choiceInteraction')} ${response}="R"><${q('simpleChoice')} identifier="A">a</${q('simpleChoice')}><${q('simpleChoice')} identifier="B">b</${q('simpleChoice')}></${q('choiceInteraction')}></${q('itemBody')}>`;
  const prefixed = (name: string) => `q:${name}`;
  const kebab = (name: string) =>
    `qti-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const second = await readText(
    `<q:assessmentItem xmlns:q="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="i" title="t">${body(prefixed, 'responseIdentifier')}</q:assessmentItem>`,
  );
  const third = await readText(
    `<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="i" title="t">${body(kebab, 'response-identifier')}</qti-assessment-item>`,
  );
  expect([second.format, third.format]).toEqual(['qti2', 'qti3']);
  for (const { items } of [second, third])
    expect(items[0]?.question).toMatchObject({ text: 'Текст', options: [{}, { isRight: true }] });
});

test('inline feedback belongs to its answer; text hidden by an answer is reported', async () => {
  const body = (more: string) =>
    readOne(
      `${declaration('identifier', 'single', correct('A'))}<itemBody><p>Текст <feedbackInline outcomeIdentifier="F" identifier="A" ${more}>Да!</feedbackInline></p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">${choices('A', 'B')}</choiceInteraction></itemBody>${template('match_correct')}`,
    );
  const shown = await body('showHide="show"');
  expect(shown.question).toMatchObject({ text: 'Текст', options: [{ feedback: 'Да!' }, {}] });
  expect(shown.losses).toEqual([]);
  expect((await body('showHide="hide"')).losses).toEqual([
    'Текст, который скрывался после ответа, не перенесён',
  ]);
});

test('reversed pairs of the key are swapped and unknown ones reported', async () => {
  const set = (...names: string[]) =>
    `<simpleMatchSet>${names.map((name) => `<simpleAssociableChoice identifier="${name}" matchMax="1">${name}</simpleAssociableChoice>`).join('')}</simpleMatchSet>`;
  const pairs = (...values: string[]) =>
    readOne(
      `${declaration('directedPair', 'multiple', correct(...values) + mapping(Object.fromEntries(values.map((value) => [value, 1]))))}<itemBody><p>Пары</p><matchInteraction responseIdentifier="RESPONSE">${set('A', 'B')}${set('X', 'Y')}</matchInteraction></itemBody>${template('map_response')}`,
    );
  const { question, losses } = await pairs('A X', 'Y B');
  expect(losses).toEqual(['Пары в ключе записаны в обратном порядке: проверьте их']);
  if (question.kind !== 'compliance') throw new Error('no pairs');
  expect(question.pairs).toEqual([
    { leftId: question.left[0]?.leftId, rightId: question.right[0]?.rightId },
    { leftId: question.left[1]?.leftId, rightId: question.right[1]?.rightId },
  ]);
  expect((await pairs('A X', 'B Q')).losses).toContain(
    'В ключе есть пары, которых нет среди вариантов: проверьте его',
  );
});

test('a prompt inside a text entry stays in front of its gap', async () => {
  const entry = (before: string) =>
    readOne(
      `${declaration('string', 'single', correct('A'))}<itemBody><p>${before}<textEntryInteraction responseIdentifier="RESPONSE"><prompt>Назовите реку</prompt></textEntryInteraction></p></itemBody>`,
    );
  expect((await entry('Сибирь. ')).question.text).toBe('Сибирь. Назовите реку \\_\\_\\_\\_\\_');
  expect((await entry('')).question.text).toBe('Назовите реку \\_\\_\\_\\_\\_');
});

test('a spoken substitute (SSML) is no subscript', async () => {
  const { question } = await readOne(
    `${declaration('string', 'single')}<itemBody><p xmlns:ssml="http://www.w3.org/2010/10/synthesis"><ssml:sub alias="вода">Вода</ssml:sub> – это H<sub>2</sub>O</p><extendedTextInteraction responseIdentifier="RESPONSE"/></itemBody>`,
  );
  expect(question.text).toBe('Вода – это H₂O');
});

test.each(['', 'use="instructions"'])(
  'a rubric %s that an item shows to candidates stays in its text',
  async (use) => {
    const { question, losses } = await readOne(
      `${declaration('identifier', 'single', correct('A'))}<itemBody><rubricBlock ${use} view="candidate"><p>Прочитайте отрывок</p></rubricBlock><p>Кто?</p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">${choices('A', 'B')}</choiceInteraction></itemBody>`,
    );
    expect(question).toMatchObject({ text: 'Прочитайте отрывок\n\nКто?' });
    expect(losses).toEqual([]);
  },
);

test('a mapped word with letters is reported as case-sensitive unless the file says otherwise', async () => {
  const readLosses = async (word: string, attributes: string) =>
    (
      await readOne(
        `${declaration('string', 'single', `<mapping defaultValue="0"><mapEntry mapKey="${word}" mappedValue="1" ${attributes}/></mapping>`)}${entry}${template('map_response')}`,
      )
    ).losses;
  const difference = ['Заглавные и строчные буквы здесь не различаются'];
  expect(await readLosses('кот', '')).toEqual(difference);
  expect(await readLosses('кот', 'caseSensitive="true"')).toEqual(difference);
  expect(await readLosses('кот', 'caseSensitive="false"')).toEqual([]);
  expect(await readLosses('42', '')).toEqual([]);
});

test('a field without a right answer is graded by hand and reported', async () => {
  const { question, losses } = await readOne(
    `${declaration('string', 'single')}<itemBody><p>Река: <textEntryInteraction responseIdentifier="RESPONSE"/></p></itemBody>`,
  );
  expect(question).toMatchObject({ kind: 'open', accepted: [] });
  expect(losses).toContain('Верных ответов в файле нет: ответ проверит преподаватель');
});

test('what a file shows until the answer is right is no explanation', async () => {
  const { question, losses } = await readOne(
    `${declaration('identifier', 'single', correct('A'))}
    <outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"><defaultValue><value>FIRST</value></defaultValue></outcomeDeclaration>
    ${choose()}
    ${ruled(rule(RIGHT, `${score(1)}<setOutcomeValue identifier="FEEDBACK">${value('identifier', 'GOOD')}</setOutcomeValue>`))}
    <modalFeedback outcomeIdentifier="FEEDBACK" identifier="FIRST" showHide="show">Неверно</modalFeedback>`,
  );
  expect(question.explanation ?? '').not.toContain('Неверно');
  expect(losses).toContain('Отзывы на неверный ответ не переносятся');
});

const field = (name: string) => `<textEntryInteraction responseIdentifier="${name}"/>`;
const typed = (name: string) =>
  declaration('string', 'single', mapping({ медь: 1, олово: 1 }), name).replaceAll(
    '<mapEntry',
    '<mapEntry caseSensitive="false"',
  );
const twoFields = (processing: string) =>
  readOne(
    `${typed('R1')}${typed('R2')}<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/><outcomeDeclaration identifier="FOUND" cardinality="single" baseType="integer"/><outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/><itemBody><p>${field('R1')} и ${field('R2')}</p></itemBody><responseProcessing>${processing}</responseProcessing>`,
  );
const branch = (condition: string, outcome: string, value: string) =>
  `<responseCondition><responseIf>${condition}<setOutcomeValue identifier="${outcome}">${value}</setOutcomeValue></responseIf></responseCondition>`;
const mapped = (name: string) =>
  `<sum><variable identifier="SCORE"/><mapResponse identifier="${name}"/></sum>`;
const filled = (name: string) => `<not><isNull><variable identifier="${name}"/></isNull></not>`;
const is = (name: string, word: string) =>
  `<stringMatch caseSensitive="false"><variable identifier="${name}"/>${word}</stringMatch>`;
const base = (word: string) => `<baseValue baseType="string">${word}</baseValue>`;

test('fields scored together are reported, as the same word counts in each here', async () => {
  const both = branch(filled('R2'), 'SCORE', mapped('R2'));
  const differ = `<and>${filled('R1')}<not>${is('R1', '<variable identifier="R2"/>')}</not></and>`;
  const readLosses = 'Верность ответа зависела и от других пропусков: здесь каждый проверяется сам';
  expect((await twoFields(both + branch(differ, 'SCORE', mapped('R1')))).losses).toContain(
    readLosses,
  );
  const anywhere = `<or>${is('R1', base('медь'))}${is('R2', base('медь'))}</or>`;
  const one = '<baseValue baseType="integer">1</baseValue>';
  expect((await twoFields(branch(anywhere, 'FOUND', one))).losses).toContain(readLosses);
  // Feedback for each field separately, and for both together.
  const praise = branch(anywhere, 'FEEDBACK', '<baseValue baseType="identifier">WELL</baseValue>');
  const alone = branch(filled('R1'), 'SCORE', mapped('R1'));
  expect((await twoFields(both + alone + praise)).losses).toEqual([]);
  const synonyms = `<or>${is('R1', base('медь'))}${is('R1', base('олово'))}</or>`;
  expect((await twoFields(branch(synonyms, 'SCORE', one))).losses).not.toContain(readLosses);
});

test('without any rules of marking the declared points of the options are those', async () => {
  const read = (map: string, processing: string) =>
    readOne(
      `${declaration('identifier', 'multiple', correct('A', 'B') + map)}<itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="0">${choices('A', 'B', 'C')}</choiceInteraction></itemBody>${processing}`,
    );
  for (const processing of ['', '<responseProcessing/>']) {
    expect(await read(mapping({ A: 1, B: 1, C: -1 }, 'lowerBound="0"'), processing)).toMatchObject({
      losses: [],
      question: { scoring: 'partial', points: 2 },
    });
    expect((await read(mapping({ A: 1, B: 2, C: 0 }), processing)).losses).toHaveLength(2);
    expect((await read('', processing)).question).toMatchObject({ scoring: 'allOrNothing' });
  }
});

test('a minimum of more than one chosen option is reported', async () => {
  const losses = async (limits: string) =>
    (
      await readOne(
        `${declaration('identifier', 'multiple', correct('A', 'B'))}${choose(limits)}${template('match_correct')}`,
      )
    ).losses;
  expect(await losses('minChoices="2" maxChoices="0"')).toEqual([
    'Сколько вариантов надо выбрать (не меньше 2), не переносится',
  ]);
  expect(await losses('minChoices="1" maxChoices="0"')).toEqual([]);
});

test('a tooltip is put in brackets after its word and reported', async () => {
  const { question, losses } = await readOne(
    `${declaration('identifier', 'single', correct('A'))}<itemBody><p>Что такое <span data-role="tooltip-target" aria-describedby="t">сплав</span><span data-role="tooltip-content" aria-hidden="true" id="t">смесь <em>металлов</em></span>?</p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">${choices('A', 'B')}</choiceInteraction></itemBody>${template('match_correct')}`,
  );
  expect(question.text).toBe('Что такое сплав (смесь *металлов*)?');
  expect(losses).toEqual(['Всплывающие подсказки стали текстом в скобках']);
});

test('reports materials beside the item, texts for some students and field placeholders', async () => {
  const read = (more: string, of = '') =>
    readOne(
      `${declaration('string', 'single', correct('42'))}<itemBody><p>Шестью семь – <textEntryInteraction responseIdentifier="RESPONSE" ${of}/></p></itemBody>${template('match_correct')}${more}`,
    );
  const readLosses = async (...given: Parameters<typeof read>) => (await read(...given)).losses;
  const card = '<card support="glossary-on-screen"><htmlContent>Произведение</htmlContent></card>';
  const calculator =
    '<companionMaterialsInfo><calculator><description>Простой</description></calculator></companionMaterialsInfo>';
  const forSome = 'Не перенесено: тексты для отдельных учеников (глоссарий, озвучивание)';
  expect(await readLosses(`<catalogInfo><catalog id="a">${card}</catalog></catalogInfo>`)).toEqual([
    forSome,
  ]);
  const materials = 'Не перенесено: материалы к вопросу (калькулятор, файлы)';
  expect(await readLosses(calculator)).toEqual([materials]);
  expect(
    await readLosses(
      `<apipAccessibility>${calculator}<accessibilityInfo><accessElement/></accessibilityInfo></apipAccessibility>`,
    ),
  ).toEqual([materials, forSome]);
  expect(await readLosses('<catalogInfo/><apipAccessibility/>', 'placeholderText=""')).toEqual([]);
  const shown = 'Образец и ограничение знаков в поле ответа не переносятся';
  expect(await readLosses('', 'placeholderText="00"')).toEqual([shown]);
  expect(await readLosses('', 'patternMask="[0-9]{0,3}"')).toEqual([shown]);
});

const readItem = (blocks: string) =>
  readOne(
    `${declaration('identifier', 'single', correct('A'))}
    <itemBody><p>Послушайте.</p>${blocks}
    <choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">${choices('A', 'B')}</choiceInteraction></itemBody>
    ${template('match_correct')}`,
  );
const transcript = (text: string, attributes: string) =>
  `<rubricBlock ${attributes}><p>${text}</p></rubricBlock>`;

test.each([
  [
    'of another system, by its use alone',
    transcript('Поезд', 'view="candidate" use="ext:transcript"'),
    'Поезд',
    true,
  ],
  [
    'of two recordings',
    transcript('Первая', 'view="candidate" class="transcript"') +
      transcript('Вторая', 'view="candidate" class="transcript"'),
    'Первая\n\nВторая',
    true,
  ],
  [
    'of which one is hidden',
    transcript('Первая', 'view="candidate" class="transcript"') +
      transcript('Вторая', 'view="author" class="transcript"'),
    'Первая\n\nВторая',
    undefined,
  ],
  ['without a view', transcript('Поезд', 'class="transcript"'), 'Поезд', undefined],
  ['without words', transcript('', 'view="candidate" class="transcript"'), undefined, undefined],
])(
  'a transcript %s is whole, and shown only where all of it is',
  async (_, blocks, transcript, shown) => {
    const { question } = await readItem(blocks);
    expect([question.transcript, question.transcriptShown]).toEqual([transcript, shown]);
    expect(question.text).toBe('Послушайте.');
  },
);
