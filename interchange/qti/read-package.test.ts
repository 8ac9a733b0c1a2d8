import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { writeArchive } from '#interchange/archive.ts';
import { UnreadableFile } from '#interchange/model.ts';
import { tools } from '#interchange/testing/looks.ts';
import { PICTURE_KEY, PICTURES } from '#interchange/testing/question-arbitrary.ts';
import { cpuMs } from '#tests/cpu.ts';
import { declaration, correct, item, choices } from '#interchange/testing/qti-xml.ts';
import { readQti } from './read.ts';

function packageOf(files: Record<string, string>, folder = '') {
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [folder + path, strToU8(text)])),
  );
}
const simple = (text: string) =>
  item(
    `${declaration('string', 'single')}<itemBody><p>${text}</p><extendedTextInteraction responseIdentifier="RESPONSE"/></itemBody>`,
  );
const resource = (href: string, type: string, more = '') =>
  `<resource identifier="${href}" type="${type}" href="${href}">${more}<file href="${href}"/></resource>`;
const manifest = (...resources: string[]) =>
  `<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources>${resources.join('')}</resources></manifest>`;

test("a package: the test's order, weights, metadata, folders, pictures, skipped files", async () => {
  const files = {
    'imsmanifest.xml': manifest(
      resource('t/test.xml', 'imsqti_test_xmlv2p1'),
      resource('items/1.xml', 'imsqti_item_xmlv2p1'),
      resource(
        'items/2.xml',
        'imsqti_item_xmlv2p1',
        '<metadata><m:lom xmlns:m="x"><m:general><m:title><m:string>Имя</m:string></m:title><m:keyword><m:string>егэ</m:string></m:keyword></m:general><m:educational><m:difficulty><m:value>difficult</m:value></m:difficulty></m:educational></m:lom></metadata>',
      ),
      resource('items/3.xml', 'imsqti_item_xmlv2p1'),
    ),
    't/test.xml':
      '<assessmentTest title="Контрольная"><testPart><assessmentSection><assessmentItemRef href="../items/2.xml"><weight identifier="w" value="3"/></assessmentItemRef><assessmentItemRef href="../items/1.xml"/></assessmentSection></testPart></assessmentTest>',
    'items/1.xml': simple('первый <img src="../i/%D0%B0.png" alt="к"/><img src="../../../x.png"/>'),
    'items/2.xml': simple('второй'),
    'items/3.xml': simple('третий'),
    'readme.txt': '',
  };
  const bytes = zipSync({
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`p/${path}`, strToU8(text)]),
    ),
    'p/i/а.png': [...PICTURES.values()][0]?.bytes ?? new Uint8Array(),
  });
  const { title, items, pictures, notes } = await readQti({ name: 'p.zip', bytes }, tools);
  expect(title).toBe('Контрольная');
  expect(items.map(({ question }) => question.text.split(' ')[0])).toEqual([
    'второй',
    'первый',
    'третий',
  ]);
  expect(items[0]?.question).toMatchObject({
    points: 3,
    title: 'Имя',
    tags: ['егэ'],
    difficulty: 'hard',
  });
  expect(items[1]?.question.text).toBe(`первый ![к](file:${pictures[0]?.key})`);
  expect(items[1]?.losses.join()).toMatch(/x\.png/);
  expect(notes.join('\n')).toMatch(/нет в тесте пакета[^]*readme\.txt/);
});

test('a stimulus of several items is the text that they share, once', async () => {
  const about = (text: string) =>
    simple(text).replace(
      '<itemBody>',
      '<assessmentStimulusRef identifier="s" href="s.xml" title="s"/><itemBody>',
    );
  const bytes = packageOf({
    'a.xml': about('первый'),
    'b.xml': about('второй'),
    'c.xml': simple('третий'),
    's.xml':
      '<assessmentStimulus identifier="s" title="s"><stimulusBody><p>Общий текст</p></stimulusBody></assessmentStimulus>',
  });
  const { items } = await readQti({ name: 'p.zip', bytes }, tools);
  const [first, second, third] = items.map(({ question }) => question);
  expect([first?.text, second?.text, third?.text]).toEqual(['первый', 'второй', 'третий']);
  expect(first?.passage?.text).toBe('Общий текст');
  expect(second?.passage).toEqual(first?.passage);
  expect(third?.passage).toBeUndefined();
  expect(items.flatMap(({ losses }) => losses)).toEqual([]);
});

test('a package without a manifest is read file by file; one broken item does not affect the others', async () => {
  const bytes = packageOf({
    'a2.xml': simple('второй'),
    'a1.xml': simple('первый'),
    'b.xml': '<x',
  });
  const { items, refused, notes } = await readQti({ name: 'p.zip', bytes }, tools);
  expect(items.map(({ question }) => question.text)).toEqual(['первый', 'второй']);
  expect(refused).toMatchObject([{ place: 'b.xml' }]);
  expect(notes[0]).toMatch(/Списка/);
});

test.each([
  ['questestinterop', '<questestinterop/>', /QTI 1\.2/],
  ['a test without its items', '<assessmentTest/>', /архив ZIP/],
  ['another XML', '<html/>', /нет вопроса QTI/],
])('distinguishes %s', async (_, text, words) => {
  await expect(readQti({ name: 'item.xml', bytes: strToU8(text) }, tools)).rejects.toThrow(words);
});

test('distinguishes packages without questions from version 1', async () => {
  const old = packageOf({ 'imsmanifest.xml': manifest(resource('a.xml', 'imsqti_xmlv1p2')) });
  await expect(readQti({ name: 'a', bytes: old }, tools)).rejects.toThrow(/версии 1/);
  const none = packageOf({ 'a.txt': '1' });
  await expect(readQti({ name: 'a', bytes: none }, tools)).rejects.toThrow(UnreadableFile);
});

test('sections that reference each other end', async () => {
  const bytes = packageOf({
    'imsmanifest.xml': manifest(resource('a.xml', 'imsqti_test_xmlv2p1')),
    'a.xml': `<assessmentTest title="t">${'<assessmentSectionRef href="b.xml"/>'.repeat(20)}</assessmentTest>`,
    'b.xml': `<assessmentSection>${'<assessmentSectionRef href="b.xml"/>'.repeat(20)}<assessmentItemRef href="i.xml"/></assessmentSection>`,
    'i.xml': simple('вопрос'),
  });
  const { items } = await readQti({ name: 'a', bytes }, tools);
  expect(items).toHaveLength(1);
}, 20_000);

test('an archive inside the archive stays packed', async () => {
  const bytes = writeArchive(
    new Map([
      ['i.xml', strToU8(simple('вопрос'))],
      ['inner.zip', packageOf({ 'j.xml': simple('нет') })],
    ]),
  );
  const { items, notes } = await readQti({ name: 'a', bytes }, tools);
  expect(items).toHaveLength(1);
  expect(notes.join()).toMatch(/inner\.zip/);
});

const rubric = (inner: string, view = 'candidate') =>
  `<rubricBlock view="${view}"><p>${inner}</p></rubricBlock>`;
const section = (inner: string) =>
  `<assessmentSection identifier="s" title="Раздел">${inner}</assessmentSection>`;
const ref = (name: string) => `<assessmentItemRef identifier="${name}" href="../${name}.xml"/>`;

const named = (name: string, more = '') =>
  item(
    `${declaration('identifier', 'single', correct('A'))}${more}<itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>${name}?</prompt>${choices('A', 'B')}</choiceInteraction></itemBody>`,
  );

/** A package with these sections in its test; the items `a` to `d` and others are beside its folder. */
function readSections(sections: string, others: readonly (readonly [string, string])[] = []) {
  const files: [string, string][] = [
    [
      'imsmanifest.xml',
      '<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources><resource identifier="t" type="imsqti_test_xmlv2p1" href="tests/t.xml"/></resources></manifest>',
    ],
    [
      'tests/t.xml',
      `<assessmentTest xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="t" title="Тест"><testPart identifier="p">${sections}</testPart></assessmentTest>`,
    ],
    ...['a', 'b', 'c', 'd'].map((name): [string, string] => [`${name}.xml`, named(name)]),
  ];
  const bytes = writeArchive(
    new Map([
      ...[...files, ...others].map(([path, text]): [string, Uint8Array] => [path, strToU8(text)]),
      ['tests/p.png', PICTURES.get(PICTURE_KEY)?.bytes ?? new Uint8Array()],
    ]),
  );
  return readQti({ name: 'тест.zip', bytes }, tools);
}

test('a rubric of a section is shared by all items in it and its subsections, with a note', async () => {
  const { items, notes, pictures } = await readSections(
    section(
      `${rubric('Отрывок <img src="p.png" alt="схема"/>')}${rubric('Критерии', 'scorer')}${ref('a')}${ref('b')}${section(rubric('Второй') + ref('c'))}`,
    ) + section(ref('d')),
  );
  const first = `Отрывок ![схема](file:${pictures[0]?.key})`;
  expect(items.map(({ question }) => [question.text, question.passage?.text ?? null])).toEqual([
    ['a?', first],
    ['b?', first],
    ['c?', `${first}\n\nВторой`],
    ['d?', null],
  ]);
  expect(items[0]?.question.passage).toEqual(items[1]?.question.passage);
  expect(items.flatMap(({ losses }) => losses)).toEqual([]);
  expect(pictures).toHaveLength(1);
  expect(notes).toEqual([
    'Пояснение «Отрывок» (tests/t.xml) стало общим текстом вопросов к нему',
    'Пояснение «Второй» (tests/t.xml) стало общим текстом вопросов к нему',
  ]);
});

test('a rubric of a picture alone is shared; a too long one is omitted and reported', async () => {
  const { items, notes } = await readSections(
    section(rubric('<img src="p.png" alt="схема"/>') + ref('a')) +
      section(rubric('бв '.repeat(ANSWER_TEXT_CHARACTERS / 2)) + ref('b')),
  );
  expect(items.map(({ question }) => question.passage?.text.slice(0, 8))).toEqual([
    '![схема]',
    undefined,
  ]);
  expect(items.map(({ losses }) => losses)).toEqual([
    [],
    ['Общий текст слишком длинный и не перенесён: сократите его и добавьте в редакторе'],
  ]);
  expect(notes).toEqual([
    'Пояснение «картинка» (tests/t.xml) стало общим текстом вопросов к нему',
    'Не читались файлы пакета (2): c.xml, d.xml.',
  ]);
});

test('a rubric without questions is refused, not reported as a shared text', async () => {
  const { items, refused, notes } = await readSections(
    [
      section(rubric('Без вопросов')),
      section(rubric('Первый') + ref('a')),
      section(rubric('Второй') + ref('a')),
      section(rubric('Третий') + ref('none')),
      section(`${rubric('Четвёртый')}${section(ref('b'))}${ref('c')}${ref('d')}`),
    ].join(''),
  );
  expect(items.map(({ question }) => question.passage?.text)).toEqual([
    'Первый',
    'Четвёртый',
    'Четвёртый',
    'Четвёртый',
  ]);
  expect(refused).toMatchObject([
    { place: 'none.xml' },
    ...['Без вопросов', 'Второй', 'Третий'].map((excerpt) => ({
      place: 'tests/t.xml',
      excerpt,
      reason: expect.stringMatching(/^Это пояснение/),
    })),
  ]);
  expect(notes.filter((note) => note.startsWith('Пояснение'))).toEqual(
    ['Первый', 'Четвёртый'].map(
      (text) => `Пояснение «${text}» (tests/t.xml) стало общим текстом вопросов к нему`,
    ),
  );
});

test('a section in its own file that the manifest lists is reported once', async () => {
  const { refused, notes } = await readSections(
    '<assessmentSectionRef identifier="s" href="s.xml"/>',
    [
      ['tests/s.xml', section(rubric('Отрывок') + ['a', 'b', 'c', 'd'].map(ref).join(''))],
      [
        'imsmanifest.xml',
        `<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources>${[
          ['test', 't'],
          ['section', 's'],
        ]
          .map(
            ([type, name]) =>
              `<resource identifier="${name}" type="imsqti_${type}_xmlv2p1" href="tests/${name}.xml"/>`,
          )
          .join('')}</resources></manifest>`,
      ],
    ],
  );
  expect(refused).toEqual([]);
  expect(notes.filter((note) => note.includes('Отрывок'))).toEqual([
    'Пояснение «Отрывок» (tests/s.xml) стало общим текстом вопросов к нему',
  ]);
});

test('the first of many rubrics are named, more are mentioned, and other notes of the test stay', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `q${index}`);
  const { notes } = await readSections(
    names.map((name) => section(rubric(`Отрывок ${name}`) + ref(name))).join('') +
      section(`<selection select="2"/>${['a', 'b', 'c', 'd'].map(ref).join('')}`),
    names.map((name) => [`${name}.xml`, named(name)] as const),
  );
  expect(notes[9]).toContain('Пояснение «Отрывок q9»');
  expect(notes[10]).toContain('Дальше в файле есть ещё пояснения');
  expect(notes[11]).toBe('Раздел показывал часть вопросов (2): войдут все');
});

test('only the nearest of shared texts too long together stays; others are reported', async () => {
  const long = 'бв '.repeat(ANSWER_TEXT_CHARACTERS / 4).trim();
  const stimulus = '<assessmentStimulusRef identifier="s" href="stimulus.xml" title="s"/>';
  const { items, refused, notes } = await readSections(
    section(
      `${rubric(`Раздел ${long}`)}${ref('e')}${section(rubric(`Внутри ${long}`) + ref('a'))}`,
    ),
    [
      ['e.xml', named('e', stimulus)],
      [
        'stimulus.xml',
        `<assessmentStimulus xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="s" title="s"><stimulusBody><p>Условие ${long}</p></stimulusBody></assessmentStimulus>`,
      ],
    ],
  );
  expect(items.map(({ question }) => question.passage?.text.slice(0, 7))).toEqual([
    'Условие',
    'Внутри ',
  ]);
  const left = [
    expect.stringMatching(/^Пояснение «Раздел бв .*» не поместилось в общий текст и не перенесено/),
  ];
  expect(items.map(({ losses }) => losses)).toEqual([left, left]);
  expect(refused).toEqual([]);
  expect(notes.filter((note) => note.startsWith('Пояснение'))).toEqual([
    expect.stringMatching(/^Пояснение «Внутри/),
  ]);
});

test('a rubric is converted once for all items, and each reports the losses', async () => {
  const text = '<b>слово</b> '.repeat(700);
  const cost = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `q${index}`);
    const begin = cpuMs();
    const { items } = await readSections(
      section(rubric(`${text}<img src="none.png" alt=""/>`) + names.map(ref).join('')),
      names.map((name) => [`${name}.xml`, named(name)] as const),
    );
    const cpu = cpuMs() - begin;
    expect(items.map(({ losses }) => losses)).toEqual(names.map(() => items[0]?.losses));
    expect(items[0]?.losses).toHaveLength(1);
    return cpu;
  };
  await cost(1);
  const once = await cost(1);
  expect(await cost(25)).toBeLessThan(8 * once);
});

test('reports what a test defines for its items: a section text, a part of the questions', async () => {
  const bytes = writeArchive(
    new Map([
      [
        'imsmanifest.xml',
        strToU8(
          '<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources><resource identifier="t" type="imsqti_test_xmlv2p1" href="t.xml"/></resources></manifest>',
        ),
      ],
      [
        't.xml',
        strToU8(
          '<assessmentTest xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="t" title="Тест"><testPart identifier="p"><assessmentSection identifier="s" title="Раздел"><selection select="1"/><rubricBlock view="candidate"><p>Прочитайте отрывок</p></rubricBlock><rubricBlock view="scorer"><p>Критерии</p></rubricBlock><assessmentItemRef identifier="i" href="i.xml"/></assessmentSection></testPart></assessmentTest>',
        ),
      ],
      [
        'i.xml',
        strToU8(
          item(
            `${declaration('identifier', 'single', correct('A'))}<itemBody><p class="qti-visually-hidden">Для чтеца</p><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="stem.xml"/><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>Что?</prompt>${choices('A', 'B')}</choiceInteraction></itemBody>`,
          ),
        ),
      ],
    ]),
  );
  const { items, notes } = await readQti({ name: 'тест.zip', bytes }, tools);
  expect(notes).toEqual([
    'Пояснение «Прочитайте отрывок» (t.xml) стало общим текстом вопросов к нему',
    'Раздел показывал часть вопросов (1): войдут все',
  ]);
  expect(items[0]?.question).toMatchObject({
    text: 'Что?',
    passage: { text: 'Прочитайте отрывок' },
  });
  expect(items[0]?.losses).toEqual([
    'Не перенесено: описание для программ чтения с экрана',
    'Не перенесено: часть текста из другого файла (xi:include)',
  ]);
});
