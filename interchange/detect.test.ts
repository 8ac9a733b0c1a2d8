import { strToU8 } from 'fflate';
import { describe, expect, test } from 'vitest';
import { writeArchive } from './archive.ts';
import { detectFormat } from './detect.ts';
import { readFile } from './formats.ts';
import { UnreadableFile } from './model.ts';
import { tools } from './testing/looks.ts';

const file = (name: string, text: string) => ({ name, bytes: strToU8(text) });
const archive = (...paths: string[]) => ({
  name: 'file.zip',
  bytes: writeArchive(new Map(paths.map((path) => [path, strToU8('<a/>')]))),
});

const archived = (files: Record<string, string>) => ({
  name: 'file.zip',
  bytes: writeArchive(new Map(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))),
});

describe('the format of a file', () => {
  test.each([
    ['gift', file('a.txt', '::Сила:: Единица силы? {=Ньютон ~Паскаль}')],
    ['gift', file('a.txt', 'Столица Франции? {=Париж}')],
    ['gift', file('a.gift', 'Опишите опыт')],
    ['aiken', file('a.txt', 'Единица силы?\nA. Паскаль\nB. Ньютон\nANSWER: B\n')],
    ['markedText', file('a.txt', '1. Единица силы?\nа) Паскаль\nб) Ньютон\nОтвет: б\n')],
    ['csv', file('a.csv', 'что угодно')],
    ['csv', file('a.txt', 'Вид;Вопрос;Баллы\nвыбор;Единица силы?;1')],
    // Words about questions, in the first line of any text.
    ['gift', file('a.txt', '// question: 12  name: Сила, масса\n::Сила::Единица?{=Н ~кг}\n')],
    ['markedText', file('a.txt', '1. Вопрос, на который ответят\nа) да\nб) нет\nОтвет: а\n')],
    ['csv', file('a.txt', 'Вопрос,Вариант 1,Вариант 2,Верные\nЕдиница силы?,Н,кг,1')],
    ['csv', file('a.txt', 'sep=;\nВопрос;Верные\nЕдиница силы?;Н')],
    ['gift', file('a.txt', 'Опишите опыт. {}\n\nОбъясните его. { }')],
    ['gift', file('a.txt', 'Ответьте развёрнуто.{} // эссе\n')],
    ['markedText', file('a.txt', `1. Да?${'\n'.repeat(100_000)}а) да`)],
    // Braces of a programming language are no essay.
    [
      'markedText',
      file('a.txt', '1. Словарь?\nа) []\nб) {}\n\n2. Ещё?\nа) да\nб) нет\nОтвет: а\n'),
    ],
    ['markedText', file('a.txt', 'Что такое словарь?\nОтвет: то, что в скобках {}.\n')],
    // Braces of LaTeX.
    [
      'markedText',
      file(
        'a.txt',
        '1. Найдите $\\frac{a=b}{c}$, $A^{T}$, $\\mathbf{F}$, {x=5}\nа) 1\nб) 2\nОтвет: а',
      ),
    ],
    ['gift', file('a.txt', 'Земля круглая {T}')],
    ['gift', file('a.gift', '<b>Земля</b> круглая {T}')],
    // The name of a heading in Markdown.
    ['markedText', file('a.md', '### 1. Земля круглая? {#earth}\nа) да\nб) нет\nОтвет: а\n')],
    ['gift', file('a.txt', 'Столица Франции? {Рим ~=Париж}')],
    [
      'aiken',
      file(
        'a.txt',
        'Порядок?\n1. Первое\n2. Второе\nA. 12\nB. 21\nANSWER: A\n\nСила?\nA. Н\nB. кг\nANSWER: A\n\nМасса?\nA. Н\nB. кг\nANSWER: B\n',
      ),
    ],
    [
      'markedText',
      file('a.txt', '1. Сила?\nA. Н\nB. кг\nANSWER: A\n2. Масса?\nA. Н\nB. кг\nANSWER: B\n'),
    ],
    ['moodleXml', file('a.xml', '<?xml version="1.0"?>\n<!-- <x> -->\n<quiz></quiz>')],
    ['qti2', file('a.xml', '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1"/>')],
    ['qti2', file('a.xml', '<qti-assessment-item/>')],
    ['docx', archive('word/document.xml')],
    ['xlsx', archive('xl/workbook.xml')],
    ['qti2', archive('imsmanifest.xml', 'item.xml')],
    ['qti1', file('a.dat', '<?xml version="1.0"?><questestinterop/>')],
    ['qti1', archived({ 'imsmanifest.xml': '<resource type="imsqti_xmlv1p2" href="a"/>' })],
    ['qti1', archived({ 'imsmanifest.xml': '<resource type="assessment/x-bb-qti-pool"/>' })],
    ['qti1', archived({ 'test/1__qti.xml': '<questestinterop/>', 'a.xml': '<a/>' })],
    // Common Cartridge may have both versions: the newer one is read.
    [
      'qti2',
      archived({
        'imsmanifest.xml':
          '<resource type="imsqti_xmlv1p2"/><resource type="imsqti_item_xmlv2p1" href="i.xml"/>',
        'i.xml': '<assessmentItem/>',
      }),
    ],
  ] as const)('%s by its content', (format, given) => {
    expect(detectFormat(given)).toBe(format);
  });

  test('large XML with pictures is detected; a text of the same size is refused by its reader', async () => {
    const padding = 'рисунок '.repeat(1_500_000);
    const xml = file('банк.xml', `<?xml version="1.0"?><quiz><!--${padding}--></quiz>`);
    expect(detectFormat(xml)).toBe('moodleXml');
    const text = file('банк.txt', `1. Вопрос?\nа) да\nб) нет\nОтвет: а\n${padding}`);
    await expect(readFile(text, null, tools)).rejects.toThrow('до 20\u00a0МБ');
  });

  test.each([
    ['an empty file', file('a.txt', ''), 'пуст'],
    ['an archive without a test', archive('readme.txt'), 'нет теста'],
    ['a web page', file('a.html', '<!DOCTYPE html><html></html>'), 'веб-страница'],
    ['another XML', file('a.xml', '<rss/>'), 'не читается'],
    ['a PDF', file('a.pdf', '%PDF-1.7'), 'PDF'],
    ['RTF', file('a.rtf', '{\\rtf1'), 'RTF'],
    [
      'an old Word document',
      { name: 'a.doc', bytes: new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2]) },
      'docx',
    ],
  ])('%s is refused with what to do', (_, given, message) => {
    expect(() => detectFormat(given)).toThrow(UnreadableFile);
    expect(() => detectFormat(given)).toThrow(message);
  });
});
