import { expect, test } from 'vitest';
import { writeArchive, readArchive } from '#interchange/archive.ts';
import { UnreadableFile } from '#interchange/model.ts';
import { expectHarmless } from '#interchange/testing/hostile.ts';
import { expectRoundTrip, expectUnfinishedSafe, newId } from '#interchange/testing/round-trip.ts';
import { readXlsx } from './read.ts';
import { tableSample } from './sample.ts';
import { bookOf, writeXlsx } from './write.ts';

const read = (bytes: Uint8Array) => readXlsx({ name: 'т.xlsx', bytes }, { newId });

/** The workbook with its sheet's XML changed. */
async function tampered(change: (xml: string) => string): Promise<Uint8Array> {
  const book = await bookOf({ heads: ['Вопрос', 'Верные'], rows: [['Где?', 'тут']] }, 'Лист');
  const files = [...readArchive(book).files].map(([path, unpack]): [string, Uint8Array] => {
    const bytes = unpack();
    if (!path.includes('worksheets/sheet')) return [path, bytes];
    return [path, new TextEncoder().encode(change(new TextDecoder().decode(bytes)))];
  });
  return writeArchive(new Map(files));
}

test('the sample is imported whole: a question of each kind', async () => {
  const { items, refused, notes } = await read((await tableSample()).bytes);
  expect(refused).toEqual([]);
  expect(notes).toEqual([]);
  expect(items.map(({ question, losses }) => [question.kind, losses])).toEqual(
    ['variant', 'variant', 'open', 'open', 'compliance', 'open', 'file'].map((kind) => [kind, []]),
  );
});

test('random tests come back equal from Excel, or the loss is reported', async () => {
  await expectRoundTrip(writeXlsx, readXlsx, { numRuns: 100 });
}, 120_000);

test('unfinished questions do no harm', async () => {
  await expectUnfinishedSafe(writeXlsx, readXlsx);
}, 120_000);

test('numeric cells are read with decimal commas', async () => {
  const bytes = await tampered((xml) =>
    xml.replace(/<c r="B2"[^>]*>.*?<\/c>/, '<c r="B2"><v>3.5</v></c>'),
  );
  expect((await read(bytes)).items[0]?.question).toMatchObject({ accepted: [{ text: '3,5' }] });
});

test.each([
  ['a far cell', (xml: string) => xml.replace('r="B2"', 'r="XFD1048576"')],
  [
    'a declared entity',
    (xml: string) => xml.replace('<worksheet', '<!DOCTYPE a [<!ENTITY b "c">]><worksheet'),
  ],
  ['broken XML', () => '<worksheet><sheetData><row r="1"><c r="A1"'],
  ['no sheet at all', () => ''],
])('%s is refused in words', async (_, change) => {
  await expect(read(await tampered(change))).rejects.toThrow(UnreadableFile);
});

test('files of other kinds are refused with what to do', async () => {
  await expect(read(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1, 2))).rejects.toThrow('.xls');
  await expect(read(writeArchive(new Map([['a.txt', new Uint8Array(5)]])))).rejects.toThrow(
    'Excel',
  );
});

test('hostile files do no harm', async () => {
  await expectHarmless(readXlsx, ['PK', '\u0003\u0004', 'xl/', '<c r="A1">', '\0']);
}, 60_000);

test('superscripts and subscripts of a cell are read or reported', async () => {
  const run = (text: string, place = '') =>
    `<r>${place && `<rPr><vertAlign val="${place}script"/></rPr>`}<t>${text}</t></r>`;
  const readLosses = async (runs: string) =>
    read(
      await tampered((xml) =>
        xml.replace(/<c r="A2"[^>]*>.*?<\/c>/, `<c r="A2" t="inlineStr"><is>${runs}</is></c>`),
      ),
    );
  const known = await readLosses(
    run('10') + run('3', 'super') + run(' и H') + run('2', 'sub') + run('O'),
  );
  expect(known.items[0]?.question.text).toBe('10³ и H₂O');
  expect(known.notes).toEqual([]);
  const unknown = await readLosses(run('x') + run('max', 'sub'));
  expect(unknown.items[0]?.question.text).toBe('xmax');
  expect(unknown.notes.join()).toMatch(/проверьте степени и индексы/);
});
