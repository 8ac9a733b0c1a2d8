import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { UnreadableFile } from '#interchange/model.ts';
import { outAndBack, expectSameOrReported, tools } from '#interchange/testing/looks.ts';
import { encoded } from '#interchange/testing/encoded.ts';
import {
  exportedTest,
  PICTURES,
  publishable,
  unfinished,
} from '#interchange/testing/question-arbitrary.ts';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import { readMoodleXml } from './read.ts';
import { writeMoodleXml } from './write.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const readText = (text: string) => readMoodleXml({ name: 'a.xml', bytes: bytesOf(text) }, tools);
const POINT = btoa(String.fromCharCode(...([...PICTURES.values()][0]?.bytes ?? [])));

const question = (type: string, inner: string) =>
  `<question type="${type}"><name><text>Имя</text></name><questiontext format="html"><text><![CDATA[<p>Сколько?</p>]]></text></questiontext>${inner}</question>`;
const quiz = (...questions: string[]) => `<?xml version="1.0"?><quiz>${questions.join('')}</quiz>`;

async function readOne(type: string, inner: string) {
  const { items, refused } = await readText(quiz(question(type, inner)));
  const [item] = items;
  if (!item) throw new Error(JSON.stringify(refused));
  return item;
}

test('one choice: text, options, feedback, points, topic, tags and difficulty are imported', async () => {
  const { items, notes } = await readText(
    quiz(
      '<question type="category"><category><text>$course$/top/По умолчанию для 10А/Физика/Меха//ника</text></category></question>',
      question(
        'multichoice',
        `<generalfeedback format="html"><text>&lt;b&gt;Потому что&lt;/b&gt;</text></generalfeedback>
        <defaultgrade>2.5000000</defaultgrade><penalty>0.3333333</penalty><single>true</single><shuffleanswers>0</shuffleanswers>
        <correctfeedback format="html"><text>Ваш ответ верный.</text></correctfeedback>
        <answer fraction="0" format="plain_text"><text>a*b</text><feedback format="html"><text></text></feedback></answer>
        <answer fraction="100" format="html"><text><![CDATA[<p>\\(x^2\\)</p>]]></text><feedback format="html"><text>Да</text></feedback></answer>
        <tags><tag><text>егэ</text></tag><tag><text>Сложность: средняя</text></tag></tags>`,
      ),
    ),
  );
  expect(items[0]).toMatchObject({
    losses: [],
    place: 'строка 1',
    question: {
      kind: 'variant',
      multiple: false,
      shuffle: false,
      title: 'Имя',
      text: 'Сколько?',
      explanation: '**Потому что**',
      points: 2.5,
      topic: 'Физика / Меха/ника',
      tags: ['егэ'],
      difficulty: 'medium',
      options: [
        { text: 'a\\*b', isRight: false },
        { text: '$x^2$', isRight: true, feedback: 'Да' },
      ],
    },
  });
  expect(notes[0]).toMatch(/повторные попытки/);
});

test('several choices report where Moodle scored otherwise', async () => {
  const answers = (wrong: number) =>
    `<single>false</single>${[50, 50, wrong].map((share) => `<answer fraction="${share}"><text>${Math.random()}</text></answer>`).join('')}`;
  expect(await readOne('multichoice', answers(-50))).toMatchObject({
    losses: [],
    question: { multiple: true, scoring: 'partial', shuffle: false },
  });
  // Moodle shuffles only if the file says so.
  expect(
    (await readOne('multichoice', `<shuffleanswers>true</shuffleanswers>${answers(-50)}`)).question,
  ).toMatchObject({ shuffle: true });
  expect((await readOne('multichoice', answers(0))).losses[0]).toMatch(/снимает столько/);
  expect((await readOne('multichoiceset', answers(0))).question).toMatchObject({
    scoring: 'allOrNothing',
  });
  const [right, wrong] = [100, 0].map(
    (share) => `<answer fraction="${share}"><text>${share}</text></answer>`,
  );
  const equal = await readOne('oumultiresponse', `${right}${right}${wrong}`);
  expect(equal.question).toMatchObject({
    multiple: true,
    options: [{ isRight: true }, { isRight: true }, { isRight: false }],
  });
  expect(equal.losses[0]).toMatch(/в Moodle было иначе/);
});

test('true or false, short answers and numbers', async () => {
  expect(
    await readOne(
      'truefalse',
      '<answer fraction="0"><text>true</text></answer><answer fraction="100"><text>false</text></answer>',
    ),
  ).toMatchObject({
    question: { options: [{ text: 'Верно' }, { text: 'Неверно', isRight: true }] },
  });
  const short = await readOne(
    'shortanswer',
    '<usecase>1</usecase><answer fraction="100"><text>2\\*2</text></answer><answer fraction="33.33333"><text>4</text></answer><answer fraction="50"><text>чет*</text></answer><answer fraction="0"><text>*</text></answer>',
  );
  expect(short.question).toMatchObject({
    input: 'line',
    accepted: [
      { text: '2*2', share: 1 },
      { text: '4', share: 0.333_333_3 },
    ],
  });
  expect(short.losses.join()).toMatch(/Заглавные.*звёздочкой «чет\*»/);
  const number = await readOne(
    'numerical',
    '<answer fraction="100"><text>9.8</text><tolerance>0.1</tolerance></answer><answer fraction="50"><text>10</text><tolerance>0.5</tolerance></answer><units><unit><multiplier>1</multiplier><unit_name>м</unit_name></unit></units>',
  );
  expect(number.question).toMatchObject({
    input: 'number',
    tolerance: 0.1,
    accepted: [
      { text: '9.8', share: 1 },
      { text: '10', share: 0.5, tolerance: 0.5 },
    ],
  });
  expect(number.losses.join()).toMatch(/Единицы/);
});

test.each([
  ['Верно', 'Неверно', [true, false], []],
  ['нет', 'ДА', [false, true], []],
  ['Дұрыс', 'Бұрыс', [true, false], []],
  ['прав', 'неправ', [true, false], [expect.stringContaining('первый принят за «Верно»')]],
])('true or false in other words: %s is right', async (right, wrong, key, losses) => {
  const { question: came, losses: readLosses } = await readOne(
    'truefalse',
    `<answer fraction="100"><text>${right}</text></answer><answer fraction="0"><text>${wrong}</text></answer>`,
  );
  expect(came.kind === 'variant' && came.options.map(({ isRight }) => isRight)).toEqual(key);
  expect(readLosses).toEqual(losses);
});

test('right sides with tags are read as HTML; reports a missing pair, an unclear tolerance and bare markup', async () => {
  const pairs = await readOne(
    'matching',
    `<subquestion format="html"><text>а</text><answer><text><![CDATA[<p><b>б</b> в</p>]]></text></answer></subquestion>
    <subquestion format="html"><text>г</text><answer><text>3 &lt; 4</text></answer></subquestion>
    <subquestion format="html"><text>один</text><answer><text></text></answer></subquestion>`,
  );
  expect(pairs.question).toMatchObject({ right: [{ text: '**б** в' }, { text: '3 < 4' }] });
  expect(pairs.losses).toEqual(['У левого элемента нет пары: подберите её в редакторе']);
  const number = await readOne(
    'numerical',
    '<answer fraction="100"><text>7</text><tolerance>5%</tolerance></answer>',
  );
  expect(number.losses).toEqual(['Допуск «5%» не прочитан: ответ принимается точно']);
  const { items } = await readText(
    quiz(
      '<question type="essay"><questiontext format="html"><text>Раз<br/><b>Два</b></text></questiontext></question>',
    ),
  );
  expect(items[0]?.losses).toEqual([
    'Разметка текста в файле не закрыта в CDATA: остались только слова',
  ]);
});

test('pairs, texts and files to hand in', async () => {
  const sub = (text: string, answer: string) =>
    `<subquestion format="html"><text>${text}</text><answer><text>${answer}</text></answer></subquestion>`;
  const pairs = await readOne(
    'matching',
    sub('1', 'a') + sub('2', 'b') + sub('3', 'a') + sub('', 'c'),
  );
  const { question: matching } = pairs;
  if (matching.kind !== 'compliance') throw new Error(matching.kind);
  expect(matching.left.map(({ text }) => text)).toEqual(['1', '2', '3']);
  expect(matching.right.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(matching.pairs[2]?.rightId).toBe(matching.right[0]?.rightId);
  expect(
    (await readOne('essay', '<responseformat>editor</responseformat>')).question,
  ).toMatchObject({
    kind: 'open',
    input: 'text',
    accepted: [],
  });
  expect(
    (
      await readOne(
        'essay',
        '<responseformat>noinline</responseformat><attachments>1</attachments><attachmentsrequired>1</attachmentsrequired><maxbytes>5000</maxbytes><filetypeslist>image,.pdf</filetypeslist>',
      )
    ).question,
  ).toMatchObject({ kind: 'file', maxBytes: 5000, accept: ['image/*', '.pdf'] });
});

test('pictures beside the text and inside of it are imported once; missing ones are reported', async () => {
  const { items, pictures } = await readText(
    quiz(
      `<question type="essay"><name><text>n</text></name><questiontext format="html"><text><![CDATA[
      <img src="@@PLUGINFILE@@/%D1%81%D1%85%D0%B5%D0%BC%D0%B0.png" alt="схема"><img src="@@PLUGINFILE@@/%D1%81%D1%85%D0%B5%D0%BC%D0%B0.png"><img src="data:image/png;base64,${POINT}"><img src="@@PLUGINFILE@@/no.png"><img src="https://example.org/x.png">]]></text>
      <file name="схема.png" path="/" encoding="base64">${POINT}</file><file name="a.pdf" path="/" encoding="base64">JVBERg==</file></questiontext></question>`,
    ),
  );
  expect(pictures).toHaveLength(2);
  expect(items[0]?.question.text.match(/file:/g)).toHaveLength(3);
  expect(items[0]?.losses.join('\n')).toMatch(/no\.png[^]*example\.org[^]*a\.pdf/);
});

test.each(['cloze', 'calculated', 'ddwtos', 'gapselect', 'random', 'toString'])(
  'a question of the kind %s is refused with its reason, the others come',
  async (type) => {
    const { items, refused } = await readText(quiz(question(type, ''), question('essay', '')));
    expect(items).toHaveLength(1);
    expect(refused[0]).toMatchObject({ place: 'строка 1', excerpt: 'Сколько?' });
    expect(refused[0]?.reason.length).toBeGreaterThan(20);
  },
);

test.each([
  ['html', '&lt;b&gt;раз&lt;/b&gt;', '**раз**'],
  ['plain_text', 'раз *два*\nтри', 'раз \\*два\\*\nтри'],
  ['markdown', '**раз** \\\\(x\\\\)', '**раз** $x$'],
  ['moodle_auto_format', 'раз\nдва &amp;amp; три', 'раз\nдва & три'],
])('a text of the format %s is read as one', async (format, text, markdown) => {
  const { items } = await readText(
    `<quiz><question type="essay"><name><text>n</text></name><questiontext format="${format}"><text>${text}</text></questiontext></question></quiz>`,
  );
  expect(items[0]?.question.text).toBe(markdown);
});

test('random tests come back the same, or the writer reported the loss', async () => {
  expect(
    await expectSameOrReported(writeMoodleXml, readMoodleXml, publishable, 60),
  ).toBeGreaterThan(0.2);
}, 60_000);

test('unfinished questions can be written and read without an error', async () => {
  await fc.assert(
    fc.asyncProperty(exportedTest(unfinished), async (given) => {
      const { imported } = await outAndBack(writeMoodleXml, readMoodleXml, given);
      expect(imported.items.length + imported.refused.length).toBe(given.questions.length);
    }),
    { numRuns: 50 },
  );
}, 60_000);

test('hostile texts in every field stay text', async () => {
  const questions = HOSTILE_TEXTS.map((text): Question => ({
    questionId: tools.newId(),
    kind: 'variant',
    text,
    explanation: text,
    title: text.replaceAll(/\s+/g, ' ').slice(0, 200),
    topic: text.replaceAll(/\s+/g, ' ').trim(),
    points: 1,
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    options: [{ optionId: tools.newId(), text, isRight: true, feedback: text }],
  }));
  const { exported, imported } = await outAndBack(writeMoodleXml, readMoodleXml, {
    title: '<script>',
    questions,
    pictures: PICTURES,
  });
  expect(new TextDecoder().decode(exported.bytes)).not.toMatch(/<(?:script|img|iframe|svg)\b/);
  expect(imported.items).toHaveLength(questions.length);
  for (const { text } of imported.items.map((item) => item.question))
    expect(text).not.toMatch(/(?<!\\)<(?:script|iframe|svg|img)\b(?![^`]*`)(?![^$]*\$)/);
});

test('sound is read from an embedded file; other sound is reported by name, and its title stays', async () => {
  const mp3 = btoa('ID3 sound');
  const text = (html: string, file = '') =>
    quiz(
      `<question type="essay"><name><text>Имя</text></name><questiontext format="html"><text><![CDATA[<p>${html}</p>]]></text>${file}</questiontext></question>`,
    );
  const inside = await readText(
    text(
      '<audio controls><source src="@@PLUGINFILE@@/a.ogg"><source src="@@PLUGINFILE@@/a.mp3"></audio>',
      `<file name="a.mp3" path="/" encoding="base64">${mp3}</file>`,
    ),
  );
  const [picture] = inside.pictures;
  expect(picture).toMatchObject({ name: 'a.mp3', mimeType: 'audio/mpeg' });
  expect(inside.items[0]?.question.text).toBe(`![](audio-file:${picture?.key})`);
  const outside = await readText(
    text('<audio src="https://school.test/b.mp3" title="Диалог"></audio> Что?'),
  );
  expect(outside.items[0]?.question.text).toBe('Диалог Что?');
  expect(outside.items[0]?.losses).toContain(
    'Запись «https://school.test/b.mp3» лежит не в файле и не перенесена',
  );
});

test('drag-and-drop matching becomes pairs', async () => {
  const pair = (left: string, right: string) =>
    `<subquestion format="html"><text>${left}</text><answer><text>${right}</text></answer></subquestion>`;
  const { question: read } = await readOne('ddmatch', pair('сила', 'Н') + pair('давление', 'Па'));
  expect(read).toMatchObject({ kind: 'compliance', pairs: [{}, {}] });
  // Pasted pictures have one name.
  const pasted = (left: string, bytes: string) =>
    `<subquestion format="html"><text>${left}</text><answer format="html"><text><![CDATA[<img src="@@PLUGINFILE@@/image.png">]]></text><file name="image.png" path="/" encoding="base64">${bytes}</file></answer></subquestion>`;
  const other = btoa(`${atob(POINT)}more`);
  const pictures = await readOne('ddmatch', pasted('круг', POINT) + pasted('квадрат', other));
  expect(pictures.question.kind === 'compliance' && pictures.question.right).toHaveLength(2);
});

test('ten thousand questions are read, the rest is reported', async () => {
  const one = question('essay', '');
  const { items, notes } = await readText(quiz(...Array.from({ length: 10_005 }, () => one)));
  expect(items).toHaveLength(10_000);
  expect(notes.join()).toMatch(/10000/);
}, 60_000);

test('an old file in windows-1251 is read', async () => {
  const text = `<?xml version="1.0" encoding="windows-1251"?>${quiz(question('essay', '')).slice(21)}`;
  const { items } = await readMoodleXml({ name: 'a', bytes: encoded(text, 'windows-1251') }, tools);
  expect(items[0]?.question.text).toBe('Сколько?');
});

test('other files, and any damage, are refused with a message', async () => {
  await expect(readText('<html></html>')).rejects.toThrow(/нет вопросов Moodle/);
  await expect(readText('')).rejects.toThrow(UnreadableFile);
  const good = bytesOf(
    quiz(question('multichoice', '<answer fraction="100"><text>1</text></answer>')),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, value) => {
      const copy = good.slice();
      copy[at] = value;
      await readMoodleXml({ name: 'a', bytes: copy }, tools).catch((error: unknown) => {
        expect(error).toBeInstanceOf(UnreadableFile);
      });
    }),
    { numRuns: 300 },
  );
}, 60_000);

test('reports a hidden question and its number in Moodle', async () => {
  const answers =
    '<answer fraction="100" format="plain_text"><text>а</text></answer><answer fraction="0" format="plain_text"><text>б</text></answer>';
  const readLosses = async (more: string) =>
    (await readOne('multichoice', `<single>true</single>${answers}${more}`)).losses;
  expect(await readLosses('<hidden>0</hidden><idnumber></idnumber>')).toEqual([]);
  expect(await readLosses('<hidden>1</hidden><idnumber>Q-7</idnumber>')).toEqual([
    'В Moodle вопрос был скрыт: проверьте, нужен ли он',
    'Номер вопроса из Moodle (ID number) не переносится',
  ]);
});

test('losses common to all Moodle kinds are reported for each', async () => {
  const more =
    '<hidden>1</hidden><idnumber>Q-7</idnumber><hint><text>Подумайте</text></hint><incorrectfeedback><text>Ещё раз</text></incorrectfeedback>';
  const truths =
    '<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>';
  for (const [type, inner] of [
    ['truefalse', truths],
    ['essay', '<responseformat>editor</responseformat>'],
    ['shortanswer', '<answer fraction="100"><text>да</text></answer>'],
  ] as const)
    expect((await readOne(type, inner + more)).losses).toEqual([
      'Общие отзывы на верный, частично верный и неверный ответ не переносятся',
      'В Moodle вопрос был скрыт: проверьте, нужен ли он',
      'Номер вопроса из Moodle (ID number) не переносится',
      'Подсказки между попытками не переносятся',
    ]);
});

test('reports the description of a category, except the default one of Moodle', async () => {
  const truths =
    '<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>';
  const readLosses = async (path: string, info: string) => {
    const category = `<question type="category"><category><text>${path}</text></category><info format="html"><text>${info}</text></info></question>`;
    return (await readText(quiz(category + question('truefalse', truths)))).notes;
  };
  expect(await readLosses('$course$/top/Сплавы', '&lt;p&gt;К контрольной 2&lt;/p&gt;')).toEqual([
    'Описание категории «Сплавы» не переносится: К контрольной 2',
  ]);
  expect(await readLosses('$course$/top/Сплавы', '')).toEqual([]);
  for (const own of [
    "The default category for questions shared in context 'C1'.",
    'Категория по умолчанию для общих вопросов в контексте «C1».',
    'La catégorie par défaut pour les questions partagées dans le contexte « C1 ».',
    "Standardkategorie für Fragen, die im Kontext 'C1' freigegeben sind.",
    'Categoría por defecto para preguntas compartidas en el contexto C1.',
    "A categoria padrão para as questões compartilhadas no contexto 'C1'.",
  ])
    expect(await readLosses('$course$/top/Разное C1', `&lt;p&gt;${own}&lt;/p&gt;`)).toEqual([]);
  for (const typed of ['Про standard deviation', 'Балл по умолчанию: 2'])
    expect(await readLosses('$course$/top/Ряды', typed)).toEqual([
      `Описание категории «Ряды» не переносится: ${typed}`,
    ]);
});

test('reports the first of many category descriptions and how many more there are', async () => {
  const categories = Array.from(
    { length: 25 },
    (_, index) =>
      `<question type="category"><category><text>$course$/top/Тема ${index}</text></category><info><text>К уроку</text></info></question>`,
  );
  const truths =
    '<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>';
  const { notes } = await readText(quiz(...categories, question('truefalse', truths)));
  expect(notes).toHaveLength(6);
  expect(notes[0]).toBe('Описание категории «Тема 0» не переносится: К уроку');
  expect(notes[5]).toBe('Не переносятся описания и других категорий: 20');
});
