import { strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { writeArchive } from '#interchange/archive.ts';
import { UnreadableFile } from '#interchange/model.ts';
import { expectBounded, expectHarmless, expectNoHang } from '#interchange/testing/hostile.ts';
import { tools } from '#interchange/testing/looks.ts';
import { PICTURES } from '#interchange/testing/question-arbitrary.ts';
import {
  choices,
  equal,
  html,
  item,
  processing,
  quiz,
  rule,
  typed,
} from '#interchange/testing/qti1-xml.ts';
import { readQti1 } from './read.ts';

const PNG = [...PICTURES.values()][0]?.bytes ?? new Uint8Array();
const question = (text: string) =>
  item(html(text) + choices({ a: 'Да', b: 'Нет' }), processing([rule(equal('a'), ['Set', 100])]));
const resource = (type: string, href: string) =>
  `<resource identifier="${href}" type="${type}" href="${href}"><file href="${href}"/></resource>`;
const manifest = (...resources: string[]) =>
  `<manifest><resources>${resources.join('')}</resources></manifest>`;
const read = (files: Record<string, string | Uint8Array>) =>
  readQti1(
    {
      name: 'export.zip',
      bytes: writeArchive(
        new Map(
          Object.entries(files).map(([path, file]) => [
            path,
            typeof file === 'string' ? strToU8(file) : file,
          ]),
        ),
      ),
    },
    tools,
  );
const textsOf = ({ items }: Awaited<ReturnType<typeof read>>) =>
  items.map(({ question: { text } }) => text);

test('a quiz of Canvas: its title and shuffling, pictures of the course, what stays behind', async () => {
  const imported = await read({
    'imsmanifest.xml': manifest(resource('imsqti_xmlv1p2', 'q1/q1.xml')),
    'q1/q1.xml': quiz(
      question(
        '<img alt="схема" src="%24IMS-CC-FILEBASE%24/%D1%81%D1%85%D0%B5%D0%BC%D0%B0.png?canvas_download=1">',
      ) +
        question('<img src="$IMS-CC-FILEBASE$/нет.png">') +
        question('<img src="https://school.example/a.png">'),
      'Из файла',
    ),
    'q1/assessment_meta.xml':
      '<quiz><title>Механика</title><description>&lt;p&gt;Читайте внимательно&lt;/p&gt;</description><shuffle_answers>true</shuffle_answers></quiz>',
    'web_resources/схема.png': PNG,
    'лишний.txt': '',
  });
  expect(imported.title).toBe('Механика');
  expect(textsOf(imported)[0]).toBe(`![схема](file:${imported.pictures[0]?.key})`);
  expect(imported.items[0]?.question).toMatchObject({ shuffle: true });
  expect(imported.items.map(({ losses }) => losses.join())).toEqual([
    '',
    expect.stringMatching(/в файле нет/),
    expect.stringMatching(/лежит не в файле/),
  ]);
  expect(imported.notes.join('\n')).toMatch(/Описание теста «Механика»[^]*лишний\.txt/);
});

test('a course of Canvas has a quiz twice: the whole one is read, and its banks', async () => {
  const imported = await read({
    'imsmanifest.xml': manifest(
      resource('imsqti_xmlv1p2/imscc_xmlv1p1/assessment', 'q1/assessment_qti.xml'),
    ),
    'q1/assessment_qti.xml': quiz(question('Урезанный')),
    'non_cc_assessments/q1.xml.qti': quiz(question('Полный')),
    'non_cc_assessments/b1.xml.qti': `<questestinterop><objectbank ident="b1">${question('Из банка')}</objectbank></questestinterop>`,
  });
  expect(textsOf(imported)).toEqual(['Полный', 'Из банка']);
  expect(imported.notes).toEqual([]);
});

const block = (name: string, inner: string) => `<flow class="${name}">${inner}</flow>`;
const smart = (text: string) =>
  `<material><mat_extension><mat_formattedtext type="SMART_TEXT">${text}</mat_formattedtext></mat_extension></material>`;
const bbItem = (kind: string, presentation: string, rules: string, more = '') =>
  `<item><itemmetadata><bbmd_questiontype>${kind}</bbmd_questiontype></itemmetadata><presentation>${block('Block', presentation)}</presentation><resprocessing scoremodel="SumOfScores"><outcomes><decvar varname="SCORE" minvalue="0" maxvalue="3.0"/></outcomes>${rules}<respcondition title="incorrect"><conditionvar><other/></conditionvar><setvar variablename="SCORE" action="Set">0.0</setvar><displayfeedback linkrefid="incorrect" feedbacktype="Response"/></respcondition></resprocessing>${more}</item>`;
const bbRule = (condition: string, set = '') =>
  `<respcondition><conditionvar>${condition}</conditionvar>${set}<displayfeedback linkrefid="correct" feedbacktype="Response"/></respcondition>`;
const bbLabels = (...idents: string[]) =>
  `<render_choice shuffle="Yes"><flow_label>${idents.map((one) => `<response_label ident="${one}"/>`).join('')}</flow_label></render_choice>`;

test('a pool of Blackboard: pairs by position, numbers, feedback and pictures by number', async () => {
  const left = (name: string, ...labels: string[]) =>
    block(
      'Block',
      `${smart(name)}<response_lid ident="${name}" rcardinality="Single">${bbLabels(...labels)}</response_lid>`,
    );
  const imported = await read({
    'imsmanifest.xml':
      '<manifest xmlns:bb="x"><resources><resource bb:file="res00002.dat" bb:title="Пул" identifier="res00002" type="assessment/x-bb-qti-pool"/></resources></manifest>',
    'res00002.dat': `<questestinterop><assessment title="Пул"><section>${[
      bbItem(
        'Matching',
        block('QUESTION_BLOCK', smart('Кто где живёт?')) +
          block('RESPONSE_BLOCK', left('рыба', 'a1', 'a2') + left('лев', 'b1', 'b2')) +
          block(
            'RIGHT_MATCH_BLOCK',
            block('Block', smart('саванна')) + block('Block', smart('река')),
          ),
        bbRule(equal('a2', 'рыба')) + bbRule(equal('b1', 'лев')),
      ),
      bbItem(
        'Numeric',
        block(
          'QUESTION_BLOCK',
          smart('&lt;img src="@X@EmbeddedFile.requestUrlStub@X@bbcswebdav/xid-12_1"&gt;'),
        ) + '<response_num ident="r"><render_fib fibtype="Decimal"/></response_num>',
        bbRule(`<vargte respident="r">4</vargte><varlte respident="r">6</varlte>${equal('5')}`),
      ),
      bbItem('Ordering', block('QUESTION_BLOCK', smart('Порядок')), ''),
    ].join('')}</section></assessment></questestinterop>`,
    'csfiles/home_dir/a__xid-12_1.png': PNG,
    'csfiles/home_dir/a__xid-12_1.png.xml': '<lom/>',
  });
  const [pairs, number] = imported.items;
  expect(pairs).toMatchObject({
    losses: [],
    question: { kind: 'compliance', text: 'Кто где живёт?', points: 3 },
  });
  if (pairs?.question.kind !== 'compliance') throw new Error('no pairs');
  const { left: lefts, right, pairs: keys } = pairs.question;
  expect(
    keys.map(({ leftId, rightId }) => [
      lefts.find((one) => one.leftId === leftId)?.text,
      right.find((one) => one.rightId === rightId)?.text,
    ]),
  ).toEqual([
    ['рыба', 'река'],
    ['лев', 'саванна'],
  ]);
  expect(number).toMatchObject({
    losses: [],
    question: { input: 'number', tolerance: 1, accepted: [{ text: '5', share: 1 }] },
  });
  expect(number?.question.text).toBe(`![](file:${imported.pictures[0]?.key})`);
  expect(imported.refused).toMatchObject([{ excerpt: 'Порядок' }]);
});

test('only a broken file of several is refused; other formats are recognised', async () => {
  const imported = await read({ 'a.xml': quiz(question('Целый')), 'b.xml': '<questestinterop><' });
  expect(textsOf(imported)).toEqual(['Целый']);
  expect(imported.refused).toMatchObject([{ place: 'b.xml' }]);
  await expect(read({ 'a.xml': '<assessmentItem/>' })).rejects.toThrow(UnreadableFile);
  await expect(
    readQti1({ name: 'a.xml', bytes: strToU8('<assessmentItem/>') }, tools),
  ).rejects.toThrow(/нет вопросов QTI 1\.2/);
});

test('any order of the format’s own words is read or refused with a message', async () => {
  await expectHarmless(readQti1, [
    ...['questestinterop', 'item', 'presentation', 'response_lid', 'response_label'].flatMap(
      (name) => [`<${name} ident="r">`, `</${name}>`],
    ),
    '<resprocessing><respcondition><conditionvar><not><other/></not></conditionvar><setvar>1</setvar></respcondition></resprocessing>',
    '<varequal respident="r">r</varequal>',
    '<!DOCTYPE a [<!ENTITY x "y">]>',
    '&x;',
  ]);
}, 60_000);

test('endless rules and options cost little', async () => {
  const start = '<questestinterop><item><presentation>';
  await expectNoHang(readQti1, [start, '<not>', '<section><item/></section>']);
  const rules = Array.from({ length: 20_000 }, (_, index) => rule(equal(`v${index}`), ['Add', 1]));
  const options = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`v${index}`, 'х']));
  const { items } = await readQti1(
    {
      name: 'a.xml',
      bytes: strToU8(
        quiz(item(html('Что?') + choices(options, { cardinality: 'Multiple' }), processing(rules))),
      ),
    },
    tools,
  );
  expect(items[0]?.losses).toContain('Правила проверки прочитаны не все: проверьте ключ');
}, 60_000);

test('ten thousand questions are read, the rest is reported', async () => {
  const end = '</section></assessment></questestinterop>';
  const start = quiz('').slice(0, -end.length);
  await expectBounded(readQti1, (index) =>
    index === 0
      ? start
      : index === 10_004
        ? `<item/>${end}`
        : '<item><presentation><material><mattext>Т</mattext></material><response_str ident="r"/></presentation></item>',
  );
}, 90_000);

test('excessive conditions are read up to a bound and reported', async () => {
  const values = Array.from({ length: 100_000 }, (_, index) => equal(`v${index}`)).join('');
  const { items } = await readQti1(
    {
      name: 'a.xml',
      bytes: strToU8(
        quiz(item(html('Кто?') + typed(), processing([rule(`<or>${values}</or>`, ['Set', 100])]))),
      ),
    },
    tools,
  );
  expect(items[0]?.losses).toContain('Правила проверки прочитаны не все: проверьте ключ');
}, 20_000);
