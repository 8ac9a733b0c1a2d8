import { expect, test } from 'vitest';
import { writeArchive } from '#interchange/archive.ts';
import { UnreadableFile } from '#interchange/model.ts';
import { describeQuestion } from '#interchange/testing/describe-question.ts';
import { expectHarmless } from '#interchange/testing/hostile.ts';
import { PICTURES } from '#interchange/testing/question-arbitrary.ts';
import { newId } from '#interchange/testing/round-trip.ts';
import { readDocx } from './read.ts';

const NAMESPACES =
  'xmlns:w="w" xmlns:m="m" xmlns:r="r" xmlns:a="a" xmlns:wp="wp" xmlns:v="v" xmlns:o="o"';
const encode = (text: string) => new TextEncoder().encode(text);
const picture = [...PICTURES.values()][0]?.bytes ?? new Uint8Array();

const docx = (body: string, more: Record<string, string> = {}) =>
  writeArchive(
    new Map([
      [
        'word/document.xml',
        encode(`<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`),
      ],
      [
        'word/_rels/document.xml.rels',
        encode(
          '<Relationships><Relationship Id="rId1" Target="media/image1.png"/><Relationship Id="rId2" Target="http://a.ru/x.png" TargetMode="External"/></Relationships>',
        ),
      ],
      ['word/media/image1.png', picture],
      ...Object.entries(more).map(([path, xml]): [string, Uint8Array] => [path, encode(xml)]),
    ]),
  );

const run = (text: string, style = '') =>
  `<w:r><w:rPr>${style}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const listed = (list: number, level: number) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;

const read = (body: string, more?: Record<string, string>) =>
  readDocx({ name: 'т.docx', bytes: docx(body, more) }, { newId });

test.each([
  ['bold', '<w:b/>'],
  ['underlined', '<w:u w:val="single"/>'],
  ['highlighted', '<w:highlight w:val="yellow"/>'],
  ['shaded', '<w:shd w:val="clear" w:fill="FFFF00"/>'],
  ['red', '<w:color w:val="FF0000"/>'],
])('the %s option is the right one', async (_, style) => {
  const { items } = await read(
    p(run('1. ') + run('Столица', '<w:b/>') + run('?')) +
      p(run('а) Тверь')) +
      p(run('б) ') + run('Москва', style)) +
      p(run('в) Псков', '<w:b w:val="0"/><w:u w:val="none"/><w:color w:val="000000"/>')),
  );
  expect(describeQuestion(items[0]?.question)).toBe('Столица?: Тверь, Москва+, Псков');
});

test('lists of Word: options on their own level, or in a list of letters', async () => {
  const numbering =
    `<w:numbering ${NAMESPACES}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>` +
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="russianLower"/></w:lvl></w:abstractNum>' +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>';
  const { items, title } = await read(
    p(run('Контрольная')) +
      p(run('Столица?'), listed(1, 0)) +
      p(run('Тверь'), listed(1, 1)) +
      p(run('Москва', '<w:b/>'), listed(1, 1)) +
      p(run('Чётные?'), listed(1, 0)) +
      p(run('2'), listed(2, 0)) +
      p(run('3'), listed(2, 0)) +
      p(run('4'), listed(2, 0)) +
      p(run('Ключ: 1-б, 2-ав')),
    { 'word/numbering.xml': numbering },
  );
  expect(title).toBe('Контрольная');
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Столица?: Тверь, Москва+',
    'Чётные?: 2+, 3, 4+',
  ]);
});

test('pictures and formulas are imported, and losses are reported', async () => {
  const formula =
    '<m:oMath><m:f><m:num><m:r><m:t>a+1</m:t></m:r></m:num><m:den><m:rad><m:deg/><m:e><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:e></m:rad></m:den></m:f></m:oMath>';
  const drawing = (relation: string) =>
    `<w:r><w:drawing><wp:inline><wp:docPr descr="схема"/><a:blip r:embed="${relation}"/></wp:inline></w:drawing></w:r>`;
  const { items, pictures } = await read(
    p(
      run('1. Чему равно ') +
        formula +
        run(' при x') +
        run('2', '<w:vertAlign w:val="superscript"/>') +
        run(' = 2*3*4?'),
    ) +
      p(drawing('rId1') + drawing('rId2')) +
      p('<m:oMath><m:unheardOf/></m:oMath><w:r><w:object/></w:r>') +
      p(run('Ответ: 12,5')),
  );
  expect(pictures).toHaveLength(1);
  expect(items[0]?.question.text).toBe(
    `Чему равно $\\frac{a+1}{\\sqrt{{x}^{2}}}$ при x² = 2\\*3\\*4?\n![схема](file:${pictures[0]?.key ?? ''})`,
  );
  expect(items[0]?.question).toMatchObject({
    kind: 'open',
    input: 'number',
    accepted: [{ text: '12,5' }],
  });
  expect(items[0]?.losses).toEqual([
    'Картинка лежит не в документе: добавьте её в редакторе',
    expect.stringContaining('Формула не перенесена'),
    expect.stringContaining('Вставленный объект'),
  ]);
});

test('a two-column table becomes pairs if the question asks for pairs', async () => {
  const row = (...cells: string[]) =>
    `<w:tr>${cells.map((cell) => `<w:tc>${p(run(cell))}</w:tc>`).join('')}</w:tr>`;
  const table = `<w:tbl>${row('1) Италия', 'а) Токио')}${row('2) Япония', 'б) Рим')}${row('', 'в) Осло')}</w:tbl>`;
  const { items } = await read(
    p(run('1. Установите соответствие')) +
      table +
      p(run('Ответ: 1-б, 2-а')) +
      p(run('2. Что в таблице?')) +
      table +
      p(run('Ответ: столицы')),
  );
  expect(items[0]?.question).toMatchObject({
    kind: 'compliance',
    left: [{ text: 'Италия' }, { text: 'Япония' }],
    right: [{ text: 'Токио' }, { text: 'Рим' }, { text: 'Осло' }],
  });
  const first = items[0]?.question;
  const names =
    first?.kind === 'compliance' &&
    first.pairs.map(({ rightId }) => first.right.find((right) => right.rightId === rightId)?.text);
  expect(names).toEqual(['Рим', 'Токио']);
  expect(items[0]?.losses).toEqual([]);
  expect(items[1]?.question.text).toContain('| 1) Италия | а) Токио |');
});

test.each([
  ['old Word', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1), '.doc'],
  ['no archive', encode('Просто текст'), '.docx'],
  ['another archive', writeArchive(new Map([['a.txt', new Uint8Array(3)]])), 'нет текста'],
  ['a letter', docx(''), 'Вопросов в документе не нашлось'],
  [
    'entities',
    writeArchive(
      new Map([['word/document.xml', encode('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')]]),
    ),
    'DOCTYPE',
  ],
  [
    'broken XML',
    writeArchive(new Map([['word/document.xml', encode('<w:document><w:body>')]])),
    'XML',
  ],
])('%s is refused in words', async (_, bytes, words) => {
  const reading = readDocx({ name: 'т.docx', bytes }, { newId });
  await expect(reading).rejects.toThrow(UnreadableFile);
  await expect(reading).rejects.toThrow(words);
});

test('tags in a document are plain text', async () => {
  const { items } = await read(
    p(run('1. Что делает &lt;script&gt;alert(1)&lt;/script&gt;?')) + p(run('Ответ: ничего')),
  );
  expect(items[0]?.question.text).toBe('Что делает \\<script>alert(1)\\</script>?');
});

test('hostile files do no harm', async () => {
  await expectHarmless(readDocx, ['PK', '\u0003\u0004', 'word/document.xml', '<w:p>', '\0']);
}, 60_000);

const cells = (...texts: readonly (string | readonly string[])[]) =>
  `<w:tr>${texts
    .map(
      (text) =>
        `<w:tc>${[text]
          .flat()
          .map((line) => p(line.startsWith('<') ? line : run(line)))
          .join('')}</w:tc>`,
    )
    .join('')}</w:tr>`;
const tableOf = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;

test.each([
  [
    'names of columns, an option in each',
    tableOf(
      cells('№', 'Вопрос', 'А', 'Б', 'В', 'Верный ответ'),
      cells('1', 'Столица?', 'Тверь', 'Москва', 'Псков', 'Б'),
      cells('2', 'Да?', 'да', 'нет', '', 'А'),
    ),
  ],
  [
    'names of columns, all options in a cell',
    tableOf(
      cells('№ п/п', 'Задание', 'Варианты ответов', 'Эталон'),
      cells('1', 'Столица?', ['Тверь', 'Москва', 'Псков'], '2'),
      cells('2.', 'Да?', ['1) да', '2) нет'], '1'),
    ),
  ],
  [
    'no names, a key in the last column',
    tableOf(
      cells('1.', 'Столица?', ['а) Тверь', 'б) Москва', 'в) Псков'], 'б'),
      cells('2.', 'Верно ли это?', ['а) да', 'б) нет'], 'а'),
    ),
  ],
  [
    'the right option is bold',
    tableOf(
      cells('Вопрос', 'Вариант 1', 'Вариант 2', 'Вариант 3'),
      cells('Столица?', 'Тверь', run('Москва', '<w:b/>'), 'Псков'),
      cells('Да?', run('да', '<w:b/>'), 'нет', ''),
    ),
  ],
  [
    'question and options in one cell',
    tableOf(
      cells('1', ['Столица?', 'а) Тверь', 'б) Москва +', 'в) Псков']),
      cells('2', ['Верно ли это?', 'а) да +', 'б) нет']),
    ),
  ],
])('a table with a question per row is read: %s', async (_, table) => {
  const { items, notes } = await read(p(run('Контрольная')) + table);
  expect(describeQuestion(items[0]?.question)).toBe('Столица?: Тверь, Москва+, Псков');
  expect(describeQuestion(items[1]?.question)).toMatch(/\?: да\+, нет$/);
  expect(items).toHaveLength(2);
  expect(items.flatMap(({ losses }) => losses)).toEqual([]);
  expect(notes.join()).not.toMatch(/Пропущено/);
});

test('a table of questions and answers, and one of figures within a question', async () => {
  const { items } = await read(
    tableOf(cells('Вопрос', 'Ответ'), cells('Столица России?', 'Москва'), cells('Год?', '1945')),
  );
  expect(items.map(({ question }) => describeQuestion(question))).toEqual([
    'Столица России?: =Москва',
    'Год?: =1945',
  ]);
  const { items: others } = await read(
    p(run('1. Где больше?')) +
      tableOf(cells('Город', 'Жители', 'Год'), cells('Тверь', '400', '2020')) +
      p(run('а) тут +')) +
      p(run('б) там')),
  );
  expect(others).toHaveLength(1);
  expect(others[0]?.question.text).toContain('| Город | Жители | Год |');
});

test.each([
  [
    'numbers above their keys',
    p(run('Ключи')) + tableOf(cells('Задание', '1', '2'), cells('Ответ', 'б', 'а')),
  ],
  [
    'sides to match',
    tableOf(
      cells('1', 'Фотосинтез растений', 'А', 'Митохондрия'),
      cells('2', 'Клеточное дыхание', 'Б', 'Хлоропласт'),
    ),
  ],
])('another table is none of questions: %s', async (_, table) => {
  const { items } = await read(
    p(run('1. Где?')) +
      p(run('а) тут')) +
      p(run('б) там')) +
      p(run('2. Кто?')) +
      p(run('а) я')) +
      p(run('б) ты')) +
      table,
  );
  expect(items).toHaveLength(2);
});

test('text that was moved or has a direction of its own stays', async () => {
  const { items } = await read(
    p(`<w:moveTo>${run('1. Сто')}</w:moveTo><w:bdo>${run('лица?')}</w:bdo>`) +
      p(run('Ответ: Москва')),
  );
  expect(describeQuestion(items[0]?.question)).toBe('Столица?: =Москва');
});
