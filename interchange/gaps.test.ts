import { extractRawText } from 'mammoth';
import { describe, expect, test } from 'vitest';
import type { Gap, Question } from '#contract/questions.ts';
import { writeAiken } from './aiken/write.ts';
import { writeCsv } from './csv/write.ts';
import { readGift } from './gift/read.ts';
import { writeGift } from './gift/write.ts';
import { weightsOf } from './items/gaps.ts';
import type { Imported, Reader } from './model.ts';
import { readMoodleXml } from './moodle/read.ts';
import { writeMoodleXml } from './moodle/write.ts';
import { sheetKey } from './paper/key.ts';
import { paperVariant } from './paper/variants.ts';
import { writePaper } from './paper/write.ts';
import { readQti } from './qti/read.ts';
import { newId } from './testing/round-trip.ts';

const read = (reader: Reader, text: string) =>
  reader({ name: 'ф.xml', bytes: new TextEncoder().encode(text) }, { newId });
const moodle = (type: string, html: string, rest = '') =>
  read(
    readMoodleXml,
    `<quiz><question type="${type}"><name><text>Имя</text></name><questiontext format="html"><text><![CDATA[${html}]]></text></questiontext>${rest}</question></quiz>`,
  );
function gapsIn({ items, refused }: Imported): Extract<Question, { kind: 'gaps' }> {
  const question = items[0]?.question;
  if (question?.kind !== 'gaps') throw new Error(JSON.stringify({ question, refused }));
  return question;
}
const lossesOf = ({ items }: Imported) => items[0]?.losses;
/** Options by their texts, the right ones marked; accepted texts with their shares. */
const keyOf = (gap: Gap | undefined) =>
  gap?.input === 'choice'
    ? gap.options.map(({ text, isRight }) => `${isRight ? '*' : ''}${text}`)
    : gap?.accepted.map(({ text, share }) => `${text} ${share}`);

describe('embedded answers of Moodle', () => {
  test('kinds, weights, shares, feedback, escapes and references of characters', async () => {
    const came = await moodle(
      'cloze',
      String.raw`<p>Столица – {2:SHORTANSWER:=Рим#Да~%50%Roma~*#Нет}, год – {:NM:=753:5~%25%750:20#рядом}, река – {1:MCS:Нил~=Тибр~&#1044;он}, знак – {1:SA:=\}\#\~&lt;}.</p>`,
    );
    const { text, points, gaps } = gapsIn(came);
    expect(text).toBe('Столица – [[1]], год – [[2]], река – [[3]], знак – [[4]].');
    expect(points).toBe(5);
    expect(gaps.map(({ gapId, weight, input }) => [gapId, weight, input])).toEqual([
      ['1', 2, 'line'],
      ['2', 1, 'number'],
      ['3', 1, 'choice'],
      ['4', 1, 'line'],
    ]);
    expect(gaps.map(keyOf)).toEqual([
      ['Рим 1', 'Roma 0.5'],
      ['753 1', '750 0.25'],
      ['Нил', '*Тибр', 'Дон'],
      ['}#~< 1'],
    ]);
    expect(gaps[0]).toMatchObject({ accepted: [{ feedback: 'Да' }, {}] });
    expect(gaps[1]).toMatchObject({ tolerance: 5, accepted: [{}, { tolerance: 20 }] });
    expect(lossesOf(came)).toEqual(['Отзывы на прочие ответы в пропусках не переносятся']);
  });

  test.each([
    ['{1:SAC:=Рим}', 'Заглавные и строчные буквы здесь не различаются'],
    ['{1:SA:=Р*м~=Рим}', 'Пропуск 1: ответ со звёздочкой «Р*м» не перенесён'],
    ['{1:SA:=Рим~%20%*}', 'Балл за любой другой ответ в пропуске не переносится'],
    ['{1:NM:=много~=5}', 'Пропуск 1: ответ «много» – не число, он не перенесён'],
    ['{1:MC:а~б}', 'Пропуск 1: верный вариант не отмечен'],
    [
      '{1:MC:=а~%50%б}',
      'Доли баллов за варианты внутри пропусков не переносятся: баллы даёт только верный',
    ],
    ['{1:MC:=<b>а</b>~б}', 'Оформление вариантов внутри пропусков не переносится'],
    [
      '{1:SA:=Рим~%50%рим}',
      'Одинаковые ответы «Рим», «рим» объединены, взята наибольшая доля баллов',
    ],
    ['{1:SA:=vector<int>}', 'Похожее на тег осталось текстом: «<int>»'],
    ['{1:NM:=2~=2.0}', 'Одинаковые ответы «2», «2.0» объединены'],
    ['{200:MC:=а~б}', 'Пропуск 1: вес 200 стал весом 100'],
    [String.raw`{1:MC:=\(x^2\)~б}`, 'Формулы в вариантах внутри пропусков остались текстом'],
    [
      '{1:MC:=а~%33.333333333333336%б}',
      'Доли баллов за варианты внутри пропусков не переносятся: баллы даёт только верный',
    ],
  ])('%s comes in with a word', async (html, loss) => {
    const came = await moodle('cloze', html);
    expect(gapsIn(came).gaps).toHaveLength(1);
    expect(lossesOf(came)).toEqual([loss]);
  });

  test.each([
    ['{1:MR:=а~=б~в}', /Несколько верных вариантов в одном пропуске/],
    ['{1:REGEXP:=a.*}', /Пропуски типа «REGEXP» здесь не читаются/],
    ['Просто текст {1:SA:=а', /Поле в тексте не читается/],
    ['{1:SA:=а} и {1:MULTICHOICE:=круг~' + 'к'.repeat(6_000) + '}', /слишком длинное/],
  ])('%s is refused with a reason', async (html, reason) => {
    const { items, refused } = await moodle('cloze', html);
    expect(items).toEqual([]);
    expect(refused[0]?.reason).toMatch(reason);
  });

  test('formulas and pictures around the fields stay, and brackets of the text are no places', async () => {
    const came = await moodle('multianswer', 'x[[1]] = \\(\\frac{1}{2}\\) и {1:NM:=2}');
    expect(gapsIn(came).text).toBe(String.raw`x\[\[1]] = $\frac{1}{2}$ и [[1]]`);
  });

  test('many openings that never close are read in a moment', async () => {
    const { refused } = await moodle('cloze', '{1:SA:='.repeat(15_000));
    expect(refused).toHaveLength(1);
  });
});

describe('words of Moodle to choose or to drag', () => {
  const words = (name: string, ...texts: [text: string, group: number][]) =>
    texts
      .map(([text, group]) => `<${name}><text>${text}</text><group>${group}</group></${name}>`)
      .join('');

  test('each place becomes a list of the words of its group, a word may be right twice', async () => {
    const came = await moodle(
      'gapselect',
      '<p>[[2]] и [[3]], снова [[2]]</p>',
      words('selectoption', ['кот', 1], ['пёс', 1], ['дом', 2], ['лес', 2]),
    );
    const { text, points, gaps } = gapsIn(came);
    expect([text, points]).toEqual(['[[1]] и [[2]], снова [[3]]', 3]);
    expect(gaps.map(keyOf)).toEqual([
      ['кот', '*пёс'],
      ['*дом', 'лес'],
      ['кот', '*пёс'],
    ]);
    expect(lossesOf(came)).toEqual([]);
  });

  test('words to drag become one list of gaps; single use and a gap without a word are reported', async () => {
    const dragged = words('dragbox', ['да', 1], ['нет', 1]);
    const came = await moodle(
      'ddwtos',
      '[[1]] [[2]] [[9]]',
      `<defaultgrade>4</defaultgrade>${dragged}`,
    );
    expect(gapsIn(came)).toMatchObject({ text: String.raw`[[1]] [[2]] \[\[9]]`, points: 4 });
    expect(lossesOf(came)).toEqual([
      'В тексте есть [[9]], а такого слова нет: исправьте место в редакторе',
      'Каждое слово давалось один раз, здесь его можно поставить и в несколько пропусков',
    ]);
    const endless = dragged.replaceAll('</dragbox>', '<infinite/></dragbox>');
    expect(lossesOf(await moodle('ddwtos', '[[1]] [[2]]', endless))).toEqual([]);
    expect(lossesOf(await moodle('ddwtos', '[[1]]', dragged))).toEqual([]);
  });
});

const qti = (body: string, declarations: string, processing = '') =>
  read(
    readQti,
    `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Имя">${declarations}<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/><itemBody>${body}</itemBody>${processing}</assessmentItem>`,
  );
const declared = (identifier: string, inside: string, type = 'identifier') =>
  `<responseDeclaration identifier="${identifier}" cardinality="single" baseType="${type}">${inside}</responseDeclaration>`;
const correct = (...values: string[]) =>
  `<correctResponse>${values.map((value) => `<value>${value}</value>`).join('')}</correctResponse>`;

describe('fields within a text of QTI', () => {
  const list = (identifier: string, ...texts: string[]) =>
    `<inlineChoiceInteraction responseIdentifier="${identifier}" shuffle="false">${texts
      .map((text, index) => `<inlineChoice identifier="C${index + 1}">${text}</inlineChoice>`)
      .join('')}</inlineChoiceInteraction>`;

  test('a list and a word in one text become its gaps', async () => {
    const came = await qti(
      `<p>Это <em>${list('A', 'кот', 'пёс')}</em>, он <textEntryInteraction responseIdentifier="B"/>.</p>`,
      declared('A', correct('C2')) + declared('B', correct('лает'), 'string'),
      '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/>',
    );
    const { text, points, gaps } = gapsIn(came);
    expect(text).toBe('Это *[[1]]*, он [[2]].');
    expect(points).toBe(2);
    expect(gaps.map(keyOf)).toEqual([['кот', '*пёс'], ['лает 1']]);
  });

  test('points of the fields become weights', async () => {
    const mapping = (key: string, value: number) =>
      `<mapping defaultValue="0"><mapEntry mapKey="${key}" mappedValue="${value}"/></mapping>`;
    const came = await qti(
      `<p>${list('A', 'а', 'б')} ${list('B', 'в', 'г')}</p>`,
      declared('A', correct('C1') + mapping('C1', 1)) +
        declared('B', correct('C2') + mapping('C2', 2.5)),
      '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/>',
    );
    expect(gapsIn(came)).toMatchObject({ points: 3.5, gaps: [{ weight: 2 }, { weight: 5 }] });
    expect(lossesOf(came)).toEqual([]);
  });

  test('all or nothing of a file becomes equal parts, with a word', async () => {
    const both = ['A', 'B']
      .map((id) => `<match><variable identifier="${id}"/><correct identifier="${id}"/></match>`)
      .join('');
    const came = await qti(
      `<p>${list('A', 'а', 'б')} ${list('B', 'в', 'г')}</p>`,
      declared('A', correct('C1')) + declared('B', correct('C2')),
      `<outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>1</value></defaultValue></outcomeDeclaration><responseProcessing><responseCondition><responseIf><and>${both}</and><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`,
    );
    expect(gapsIn(came)).toMatchObject({ points: 1, gaps: [{ weight: 1 }, { weight: 1 }] });
    expect(lossesOf(came)).toEqual([
      'Балл давался только за все пропуски вместе, здесь – за каждый его доля',
    ]);
  });

  test('words to drag into the gaps of a text become a list at each', async () => {
    const body = `<gapMatchInteraction responseIdentifier="A" shuffle="false"><prompt>Вставьте</prompt><gapText identifier="W1" matchMax="1">зима</gapText><gapText identifier="W2" matchMax="1">лето</gapText><blockquote><p>Идёт <gap identifier="G1"/>, потом <gap identifier="G2"/>.</p></blockquote></gapMatchInteraction>`;
    const declaration = `<responseDeclaration identifier="A" cardinality="multiple" baseType="directedPair">${correct('W1 G1', 'W2 G2')}</responseDeclaration>`;
    const came = await qti(body, declaration);
    const { text, gaps } = gapsIn(came);
    expect(text).toContain('Идёт [[1]], потом [[2]].');
    expect(text).toContain('Вставьте');
    expect(text).not.toContain('зима');
    expect(gaps.map(keyOf)).toEqual([
      ['*зима', 'лето'],
      ['зима', '*лето'],
    ]);
    expect(lossesOf(came)).toEqual([
      'Каждое слово давалось один раз, здесь его можно поставить и в несколько пропусков',
    ]);
    const endless = body.replaceAll('matchMax="1"', 'matchMax="0"');
    expect(lossesOf(await qti(endless, declaration))).toEqual([]);
  });

  test('wrong answers that cost points are reported', async () => {
    const dragged = await qti(
      `<gapMatchInteraction responseIdentifier="A"><gapText identifier="W1" matchMax="1">зима</gapText><gapText identifier="W2" matchMax="1">лето</gapText><p>Идёт <gap identifier="G1"/></p></gapMatchInteraction>`,
      `<responseDeclaration identifier="A" cardinality="multiple" baseType="directedPair">${correct('W1 G1')}<mapping defaultValue="-1"><mapEntry mapKey="W1 G1" mappedValue="1"/></mapping></responseDeclaration>`,
    );
    expect(lossesOf(dragged)).toContain('Неверный ответ в пропуске снимал баллы, здесь – нет');
    const typed = await qti(
      `<p>Идёт <textEntryInteraction responseIdentifier="A"/></p>`,
      `<responseDeclaration identifier="A" cardinality="single" baseType="string">${correct('зима')}<mapping defaultValue="-1"><mapEntry mapKey="зима" mappedValue="1" caseSensitive="false"/></mapping></responseDeclaration>`,
    );
    expect(lossesOf(typed)).toContain('Ответы, которые снимали баллы, не переносятся');
  });

  test('a field of another kind beside them is refused with their number', async () => {
    const { refused } = await qti(
      `<p>${list('A', 'а')}</p><extendedTextInteraction responseIdentifier="B"/>`,
      declared('A', correct('C1')),
    );
    expect(refused[0]?.reason).toBe('Полей для ответа 2. Разделите на отдельные вопросы');
  });
});

describe('GIFT', () => {
  test('several answers in a text become gaps, with a note', async () => {
    const came = await read(
      readGift,
      'Вода кипит при {#100:1} °C и это {=пар ~лёд}, а {=лёд =льдом} твёрд.',
    );
    const { text, gaps } = gapsIn(came);
    expect(text).toBe('Вода кипит при [[1]] °C и это [[2]], а [[3]] твёрд.');
    expect(gaps.map(keyOf)).toEqual([['100 1'], ['*пар', 'лёд'], ['лёд 1', 'льдом 1']]);
    expect(gaps[0]).toMatchObject({ input: 'number', tolerance: 1 });
    expect(lossesOf(came)?.[0]).toMatch(/^Ответов в скобках несколько: это пропуски/);
  });

  test.each([
    'Первый {=а ~б}\n2. Второй {=в ~г}',
    'Пары {=а -> б =в -> г} и ещё {=д}',
    'Верно ли {T}, что {F}?',
  ])('two questions that nothing parts stay refused: %j', async (text) => {
    const { items, refused } = await read(readGift, text);
    expect(items).toEqual([]);
    expect(refused[0]?.reason).toMatch(/^Скобки с ответом встречаются дважды/);
  });
});

const water: Extract<Question, { kind: 'gaps' }> = {
  questionId: '00000000-0000-4000-8000-000000000001',
  kind: 'gaps',
  text: 'Вода кипит при [[1]] °C и становится [[2]].',
  points: 3,
  gaps: [
    {
      gapId: '1',
      weight: 1,
      input: 'number',
      accepted: [{ text: '100', share: 1 }],
      tolerance: 0.5,
    },
    {
      gapId: '2',
      weight: 2,
      input: 'choice',
      options: ['паром', 'газом', 'льдом'].map((text) => ({
        optionId: text,
        text,
        isRight: text === 'паром',
      })),
    },
  ],
};
const given = { title: 'Физика', questions: [water], pictures: new Map() };

test.each([
  [
    'a number',
    'Вода кипит при [[1]] °C.',
    0,
    { kind: 'open', text: 'Вода кипит при _____ °C.', tolerance: 0.5 },
  ],
  [
    'a choice at the end',
    'Вода становится [[1]]',
    1,
    { kind: 'variant', text: 'Вода становится', options: { length: 3 } },
  ],
])('GIFT holds one gap, %s, as a missing word', async (_, text, at, expected) => {
  const own = water.gaps[at];
  if (!own) throw new Error('a gap');
  const gap = { ...own, gapId: '1' };
  const { losses, bytes, fileName } = await writeGift({
    ...given,
    questions: [{ ...water, text, gaps: [gap] }],
  });
  expect(losses).toEqual(['Вопрос 1: пропуск станет обычным вопросом с полем посреди текста']);
  const { items } = await readGift({ name: fileName, bytes }, { newId });
  expect(items[0]?.question).toMatchObject({ points: 3, ...expected });
});

test.each([
  [
    'GIFT',
    writeGift,
    'Вопрос 1: не перенесён: нескольких пропусков в тексте в GIFT нет. Их переносят Moodle XML и QTI',
  ],
  [
    'CSV',
    writeCsv,
    'Вопрос 1: не перенесён: для пропусков в таблице нет места. Их переносят Moodle XML и QTI',
  ],
  [
    'Aiken',
    writeAiken,
    'Вопрос 1: не перенесён: Aiken знает только вопросы с одним верным вариантом',
  ],
])('%s has no gaps: the question is left out with a word', async (_, write, loss) => {
  const { losses, bytes } = await write(given);
  expect(losses).toEqual([loss]);
  expect(new TextDecoder().decode(bytes)).not.toContain('кипит');
});

test('for Moodle gaps are embedded answers', async () => {
  const { losses, bytes } = await writeMoodleXml(given);
  const xml = new TextDecoder().decode(bytes);
  expect(losses).toEqual([]);
  expect(xml).toContain('type="cloze"');
  expect(xml).toContain(
    'при {1:NUMERICAL:=100:0.5} °C и становится {2:MULTICHOICE:=паром~газом~льдом}.',
  );
});

test('on paper words are written into the text and letters of lists below it, and the key has both', async () => {
  const [selected] = paperVariant([water], 1, { isShuffled: false });
  expect(selected && sheetKey(selected)).toBe('1 — 100 ± 0,5; 2 — В');
  const { bytes } = await writePaper({ ...given, variants: 1, isShuffled: false, part: 'sheets' });
  const { value } = await extractRawText({ buffer: Buffer.from(bytes) });
  expect(value).toContain('Вода кипит при (1)_____ °C и становится (2)_____.');
  expect(value).toContain('(2)  А) газом   Б) льдом   В) паром');
});

test('whole weights of points', () => {
  expect(weightsOf([1, 1, 1])).toEqual([1, 1, 1]);
  expect(weightsOf([0.4, 0.6])).toEqual([2, 3]);
  expect(weightsOf([1, 0])).toBeNull();
  expect(weightsOf([1, 1000])).toBeNull();
});
