import { expect, test } from 'vitest';
import {
  formulaAt,
  insertFormula,
  insertGapPlace,
  insertPictures,
  pastedLines,
  toggleList,
  toggleMark,
  type Selection,
  type TextEdit,
} from './text-edit.ts';

/** «а [б] в»: the brackets are the selection, one `|` the cursor. */
function read(marked: string): { text: string; selection: Selection } {
  const cursor = marked.indexOf('|');
  if (cursor !== -1)
    return { text: marked.replace('|', ''), selection: { start: cursor, end: cursor } };
  const start = marked.indexOf('[');
  const end = marked.indexOf(']') - 1;
  return { text: marked.replace('[', '').replace(']', ''), selection: { start, end } };
}

function written(text: string, { from, to, insert, select }: TextEdit): string {
  const next = text.slice(0, from) + insert + text.slice(to);
  const { start, end } = select;
  return start === end
    ? `${next.slice(0, start)}|${next.slice(start)}`
    : `${next.slice(0, start)}[${next.slice(start, end)}]${next.slice(end)}`;
}

function edited(marked: string, edit: (text: string, selection: Selection) => TextEdit): string {
  const { text, selection } = read(marked);
  return written(text, edit(text, selection));
}

test.each([
  ['а [слово] б', 'bold', 'а **[слово]** б'],
  ['а **[слово]** б', 'bold', 'а [слово] б'],
  ['а [**слово**] б', 'bold', 'а [слово] б'],
  ['а [ слово ]б', 'italic', 'а  *[слово]* б'],
  ['а **[слово]** б', 'italic', 'а ***[слово]*** б'],
  ['а ***[слово]*** б', 'bold', 'а *[слово]* б'],
  ['а | б', 'bold', 'а **|** б'],
  ['а **|** б', 'bold', 'а | б'],
] as const)('in «%s» %s gives «%s»', (marked, mark, wanted) => {
  expect(edited(marked, (text, selection) => toggleMark(text, selection, mark))).toBe(wanted);
});

test('each of several lines becomes bold separately', () => {
  expect(edited('[раз\n- два\n\nтри]', (text, at) => toggleMark(text, at, 'bold'))).toBe(
    '[**раз**\n- **два**\n\n**три**]',
  );
});

test.each([
  ['раз\nд|ва', 'раз\n- два|'],
  ['раз\n- д|ва', 'раз\nдва|'],
  ['р[аз\nдв]а', '[- раз\n- два]'],
  ['[- раз\n- два]', '[раз\nдва]'],
  ['|', '- |'],
])('a list: «%s» becomes «%s»', (marked, wanted) => {
  expect(edited(marked, toggleList)).toBe(wanted);
});

test.each([
  ['по закону |', 'x^2', false, 'по закону $x^2$|'],
  ['|5', 'x', false, '$x$ |5'],
  ['$a$|', 'b', false, '$a$ $b$|'],
  ['закон |дальше', 'x', true, 'закон \n$$x$$\n|дальше'],
  ['[$a$]', 'b\n+c', false, '$b +c$|'],
])('in «%s» the formula %s (own line: %s) gives «%s»', (marked, tex, display, wanted) => {
  const put = edited(marked, (text, at) => insertFormula(text, at, { tex, display }));
  expect(put).toBe(wanted);
});

test('the formula under the cursor is found whole', () => {
  const { text, selection } = read('сила $F = m|a$ и $$v^2$$');
  expect(formulaAt(text, selection)).toMatchObject({ tex: 'F = ma', display: false, start: 5 });
  expect(formulaAt(text, { start: 18, end: 18 })).toMatchObject({ tex: 'v^2', display: true });
  expect(formulaAt(text, { start: 2, end: 2 })).toBeNull();
});

test('a picture is on its own line with an escaped description', () => {
  const picture = { alt: 'Схема](javascript:x) [1]\nвторая', key: 'k' };
  expect(edited('а|', (text, at) => insertPictures(text, at, [picture], true))).toBe(
    'а\n![Схема (javascript:x) 1 вторая](file:k)\n|',
  );
  const two = [
    { alt: '', key: 'k' },
    { alt: 'б', key: 'm' },
  ];
  expect(edited('а|', (text, at) => insertPictures(text, at, two, false))).toBe(
    'а ![](file:k) ![б](file:m)|',
  );
  const sound = { alt: 'Диалог', key: 'k', isRecording: true };
  expect(edited('|', (text, at) => insertPictures(text, at, [sound], true))).toBe(
    '![Диалог](audio-file:k)\n|',
  );
});

test('a pasted list is split into lines without list markers', () => {
  expect(pastedLines('а) раз\nб) два\n\n3. три\r\n- 5\n−5')).toEqual([
    'раз',
    'два',
    'три',
    '5',
    '−5',
  ]);
});

test('a place of a gap replaces the selected word, without the blanks around it', () => {
  const text = 'Столица $1 – Париж.';
  expect(insertGapPlace(text, { start: 0, end: 8 }, '1')).toEqual({
    text: '[[1]] $1 – Париж.',
    word: 'Столица',
  });
  expect(insertGapPlace(text, { start: 12, end: 18 }, '12')).toEqual({
    text: 'Столица $1 – [[12]].',
    word: 'Париж',
  });
  expect(insertGapPlace(text, { start: 7, end: 8 }, '3')).toEqual({
    text: 'Столица [[3]]$1 – Париж.',
    word: '',
  });
});
