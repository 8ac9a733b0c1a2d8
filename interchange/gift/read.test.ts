import { expect, test } from 'vitest';
import { comparable } from '#interchange/comparable.ts';
import { encoded } from '#interchange/testing/encoded.ts';
import { expectBounded, expectHarmless, expectNoHang } from '#interchange/testing/hostile.ts';
import { newId } from '#interchange/testing/round-trip.ts';
import { cpuMs } from '#tests/cpu.ts';
import { readGift } from './read.ts';

const read = (text: string) =>
  readGift({ name: 'т.gift', bytes: new TextEncoder().encode(text) }, { newId });

async function only(text: string) {
  const { items, refused } = await read(text);
  expect(refused).toEqual([]);
  expect(items).toHaveLength(1);
  const item = items[0];
  if (!item) throw new Error('no item');
  return { ...item, question: comparable(item.question) };
}

test('one right option of several', async () => {
  const { question, losses } = await only(
    '// [id:7] [tag:столицы] [tag:7 класс]\n::Столица::Столица России?{~Тверь#Почти =Москва ~Псков####Москва — с 1918 года}',
  );
  expect(question).toMatchObject({
    kind: 'variant',
    title: 'Столица',
    text: 'Столица России?',
    multiple: false,
    explanation: 'Москва — с 1918 года',
    tags: ['столицы', '7 класс'],
    options: [
      { text: 'Тверь', isRight: false, feedback: 'Почти' },
      { text: 'Москва', isRight: true },
      { text: 'Псков', isRight: false },
    ],
  });
  expect(losses).toEqual([]);
});

test('an answer that accepts any text is reported; an escaped asterisk is literal', async () => {
  expect((await only('Имя?{=*}')).losses).toEqual([
    'Ответ «*» засчитывал любой ответ: здесь таких нет, впишите верные',
  ]);
  const { question, losses } = await only(String.raw`Умножить?{=\* =x}`);
  expect(question).toMatchObject({ accepted: [{ text: '*' }, { text: 'x' }] });
  expect(losses).toEqual([]);
});

test('reports an option without text', async () => {
  expect((await only('Столица?{~~Тверь =Москва}')).losses).toContain(
    'Есть вариант без текста: впишите его',
  );
});

test('a feedback sign in a pair stays part of it, as in Moodle, and is reported', async () => {
  const signed = await only(
    'Столицы{\n=Париж -> Франция#Верно\n=Рим -> Италия\n=Осло -> Норвегия\n}',
  );
  expect(signed.losses.join()).toContain('после знака #');
  const language = await only('Языки{\n=.NET -> C#\n=Rust -> Rust\n=JVM -> Java\n}');
  expect(language.losses).toEqual([]);
});

test('weights of several right options become ours, and differences are reported', async () => {
  const usual = await only('Чётные?{~%50%2 ~%50%4 ~%-50%3}');
  expect(usual.question).toMatchObject({ multiple: true, scoring: 'partial' });
  expect(usual.losses).toEqual([]);
  const other = await only('Чётные?{~%70%2 ~%30%4 ~3}');
  expect(other.losses.join()).toContain('Доли баллов за варианты заменены');
  const partial = await only('Чётное?{=2 ~%50%1,9 ~3}');
  expect(partial.losses.join()).toContain('баллы даёт только верный');
});

test('true and false are two options with their feedback', async () => {
  const { question } = await only('Земля круглая.{TRUE#Подумайте#Именно так}');
  expect(question).toMatchObject({
    kind: 'variant',
    options: [
      { text: 'Верно', isRight: true, feedback: 'Именно так' },
      { text: 'Неверно', isRight: false, feedback: 'Подумайте' },
    ],
  });
});

test('numbers have tolerances, ranges, weights, and decimal commas', async () => {
  const { question } = await only('π?{#=3.14:0.005#Да =%50%3..3,2}');
  expect(question).toMatchObject({
    kind: 'open',
    input: 'number',
    accepted: [
      { text: '3,14', share: 1, tolerance: 0.005, feedback: 'Да' },
      { text: '3,1', share: 0.5, tolerance: 0.1 },
    ],
  });
  expect((await only('Год?{#1812:1}')).question).toMatchObject({
    tolerance: 1,
    accepted: [{ text: '1812', share: 1 }],
  });
});

test('pairs, with an extra right side', async () => {
  const { question } = await only('Столицы{\n=Италия -> Рим\n=Япония -> Токио\n= -> Осло\n}');
  expect(question).toMatchObject({
    kind: 'compliance',
    left: [
      { text: 'Италия', right: 0 },
      { text: 'Япония', right: 1 },
    ],
    right: ['Рим', 'Токио', 'Осло'],
  });
});

test('short answers, essays and gaps', async () => {
  expect((await only('Два плюс два — это {=четыре =%50%4}.')).question).toMatchObject({
    text: 'Два плюс два — это _____.',
    accepted: [
      { text: 'четыре', share: 1 },
      { text: '4', share: 0.5 },
    ],
  });
  expect((await only('Расскажите о лете.{}')).question).toMatchObject({
    kind: 'open',
    input: 'text',
    accepted: [],
  });
});

test('a right option may be written «~=», as Moodle reads it', async () => {
  for (const text of ['Столица?{~=Москва ~Тверь}', 'Столица?{\n~=Москва\n~Тверь\n}'])
    expect((await only(text)).question['options']).toMatchObject([
      { text: 'Москва', isRight: true },
      { text: 'Тверь', isRight: false },
    ]);
});

test('an answer without a sign is right', async () => {
  expect((await only('Столица Франции?{Париж}')).question).toMatchObject({
    kind: 'open',
    accepted: [{ text: 'Париж', share: 1 }],
  });
});

test('options that are only tags or begin with # stay literal text', async () => {
  expect((await only('Абзац?{=<p> ~<br> ~<b>}')).question['options']).toMatchObject([
    { text: '\\<p>' },
    { text: '\\<br>' },
    { text: '\\<b>' },
  ]);
  expect((await only('Белый?{=#fff#Верно ~#000}')).question['options']).toMatchObject([
    { text: '\\#fff', feedback: 'Верно' },
    { text: '\\#000' },
  ]);
});

test('escapes, unescaped colons and equals signs, and formulas', async () => {
  expect(
    (await only('Чему равно x = 5: да\\{\\}\\nили нет?{=1\\=1 ~\\~2}')).question,
  ).toMatchObject({
    text: 'Чему равно x = 5: да{}\nили нет?',
    options: [{ text: '1=1' }, { text: '\\~2' }],
  });
  expect((await only('Когда \\(a \\neq \\frac\\{1\\}\\{2\\}\\)?{T}')).question['text']).toBe(
    'Когда $a \\neq \\frac{1}{2}$?',
  );
});

test('HTML becomes Markdown, and active content is dropped with a note', async () => {
  const { question, losses } = await only(
    '[html]<p>Где <b>ошибка</b>?</p><script>alert(1)</script><img src\\="@@PLUGINFILE@@/a.png" alt\\="схема">{=тут ~там}',
  );
  expect(question['text']).toBe('Где **ошибка**?\n\nсхема');
  expect(losses.join()).toContain('скрипт');
  expect(losses.join()).toContain('Рисунок не вложен');
});

test('plain text escapes characters that Markdown would interpret', async () => {
  const { question } = await only('[plain]2*3*4 и #5{=24 ~25}');
  expect(question['text']).toBe('2\\*3\\*4 и #5');
});

test('categories are topics', async () => {
  const { items } = await read(
    '$CATEGORY: $course$/top/Алгебра/Степени\n\nА{T}\n\n$CATEGORY: $course$/top\n\nБ{F}',
  );
  expect(items.map(({ question }) => question.topic)).toEqual(['Алгебра / Степени', undefined]);
});

test('one invalid question does not refuse the rest, and is named by its line', async () => {
  const { items, refused, notes } = await read(
    'Просто пояснение\n\nА?{=1 ~2\n\nБ?{=1\n\n~2}\n\nВ?{#пять}\n\nГ?{=а -> б =в}\n\nД?{T}',
  );
  expect(items.map(({ question, place }) => [question.text, place])).toEqual([
    ['Б?', 'строка 5'],
    ['Д?', 'строка 13'],
  ]);
  expect(refused.map(({ place, reason }) => [place, reason])).toEqual([
    ['строка 3', 'Нет закрывающей скобки «}»'],
    ['строка 9', expect.stringContaining('«пять» — не число')],
    ['строка 11', 'В паре «в» нет знака «->»'],
  ]);
  expect(notes).toEqual([expect.stringContaining('Пояснение «Просто пояснение» (строка 1)')]);
});

test('an old file in windows-1251 is read', async () => {
  const bytes = encoded('Столица России?{=Москва ~Тверь}\r\n', 'windows-1251');
  const { items, notes } = await readGift({ name: 'a.txt', bytes }, { newId });
  expect(items[0]?.question.text).toBe('Столица России?');
  expect(notes).toEqual(['Кодировка файла: windows-1251']);
});

test('a file without a question of GIFT is refused with a message', async () => {
  await expect(read('Просто письмо другу')).rejects.toThrow('нет вопросов GIFT');
});

test('hostile files do no harm', async () => {
  const signs = ['{', '}', '=', '~', '#', '####', '->', '::', '\\', '\n', '\n\n', '//', '%50%'];
  await expectHarmless(readGift, [
    ...signs,
    '$CATEGORY: ',
    '[html]',
    '<b>',
    '[tag:',
    ']',
    '1..',
    ':',
  ]);
}, 120_000);

test('long repeated input is read quickly', async () => {
  await expectNoHang(readGift, [
    '{',
    '}',
    '=',
    '~',
    '#',
    ':',
    '\\',
    ' ',
    '\n ',
    '::',
    '{\n\n',
    '//\n',
    '[tag:',
    '`',
    '<b>',
    'a{=b ~',
    '\\\\\\\\(',
    '$$',
    '![',
    '<',
    '%1',
    '1..',
    '[markdown]\\\\\\\\(',
    'a{T}\n\n',
  ]);
}, 300_000);

test('more questions than fit are cut off with a note', async () => {
  await expectBounded(readGift, (index) => `Сколько будет ${index} + 1? {=${index + 1} ~0 ~*}\n\n`);
}, 120_000);

test('a title that is never closed is the beginning of the text', async () => {
  const { question } = await only('::Сколько будет 2 + 2?{=4 ~5}');
  expect(question).toMatchObject({ text: 'Сколько будет 2 + 2?' });
});

test('a picture embedded in the text is reported at any length', async () => {
  const picture = `<img src\\="data:image/png;base64,${'A'.repeat(3_000)}">`;
  const { question, losses } = await only(`[html]Что это? ${picture}{=мост}`);
  expect(question.text).toBe('Что это?');
  expect(losses).toContain(
    'Рисунок, записанный прямо в текст, из этого формата не переносится. Добавьте его в редакторе',
  );
  expect((await only(`Что это? ${picture}{=мост}`)).question.text).toBe('Что это?');
});

test('reports comments of another language', async () => {
  const { items } = await read('/* ::Q:: Кто? {=я ~он} */\n\n::Код:: int x; /* да */ {=я ~он}');
  expect(items.map(({ losses }) => /примечание в GIFT/.test(losses.join()))).toEqual([true, false]);
});

test('of many words that look like tags a question names the first, in a moment', async () => {
  const words = (count: number) =>
    Array.from({ length: count }, (_, index) => `<q${index}`).join(' ');
  const { question, losses } = await only(`[html]Что? ${words(2_000)}{=да ~нет}`);
  expect(question.text).toContain('<q1999');
  expect(losses).toContain('Похожее на тег осталось текстом: «<q0»');
  expect(losses.length).toBeLessThan(10);
  const started = cpuMs();
  await read(`[html]Что? ${words(10_000)}{=да ~нет}`);
  expect(cpuMs() - started).toBeLessThan(3_000);
});
