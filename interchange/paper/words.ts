import type { XhtmlPiece } from '#interchange/html/to-xhtml.ts';
import { tag, type Written } from '#interchange/xml-writer.ts';

/** Texts of a test as paragraphs of WordprocessingML (ECMA-376 part 1, section 17). Lengths are twentieths of a point. */

/** Between the margins of an A4 page. */
export const LINE_WIDTH = 9_926;
const TWIPS_PER_CM = 567;
const EMU_PER_TWIP = 635;
const EMU_PER_PIXEL = 9_525;
/** Taller pictures are scaled down. */
const PICTURE_HEIGHT = 11 * TWIPS_PER_CM;

export interface PlacedPicture {
  readonly relation: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Paragraph {
  /** Distance of the text from the margin. */
  readonly left?: number;
  /** At the left of the first line: «1.», «А)». It has the width `hanging`. */
  readonly mark?: string;
  readonly hanging?: number;
  readonly align?: 'center' | 'right';
  /** Space after it. */
  readonly after?: number;
  /** Positions of tabs; with `line` the space before the tab is underlined. */
  readonly tabs?: readonly { readonly at: number; readonly line: boolean }[];
  /** Stays on the page of the next paragraph. */
  readonly isUnbroken?: boolean;
  readonly style?: string;
  /** The last paragraph of a section contains its properties. */
  readonly section?: Written;
}

interface Look {
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  readonly isStruck?: boolean;
  readonly isCode?: boolean;
  /** Language of the text, with its region, for Word's spelling check. Absent: the document's. */
  readonly language?: string | undefined;
}

export interface Placing {
  readonly picture: (key: string) => PlacedPicture | null;
  /** Language of the test's texts. */
  readonly language?: string | undefined;
  /** A number for each drawing, unique in the document. */
  readonly nextId: () => number;
}

const w = (name: string, value: string) => tag(`w:${name}`, { 'w:val': value });

/** Chinese has a separate attribute. */
const langOf = (language: string) =>
  tag('w:lang', { [language.startsWith('zh') ? 'w:eastAsia' : 'w:val']: language });

export function textRun(text: string, look: Look = {}): Written {
  const properties = [
    look.isCode
      ? tag('w:rFonts', {
          'w:ascii': 'Courier New',
          'w:hAnsi': 'Courier New',
          'w:cs': 'Courier New',
        })
      : null,
    look.isBold ? tag('w:b') : null,
    look.isItalic ? tag('w:i') : null,
    look.isStruck ? tag('w:strike') : null,
    look.language === undefined ? null : langOf(look.language),
  ].filter((property) => property !== null);
  return tag(
    'w:r',
    {},
    properties.length === 0 ? null : tag('w:rPr', {}, ...properties),
    tag('w:t', { 'xml:space': 'preserve' }, text),
  );
}

export const tabRun = (): Written => tag('w:r', {}, tag('w:tab'));
const breakRun = (): Written => tag('w:r', {}, tag('w:br'));

export function paragraph(runs: readonly Written[], options: Paragraph = {}): Written {
  const { left = 0, mark, hanging = 0, align, after, tabs, isUnbroken, style, section } = options;
  const hasMark = mark !== undefined;
  return tag(
    'w:p',
    {},
    tag(
      'w:pPr',
      {},
      style === undefined ? null : w('pStyle', style),
      isUnbroken ? tag('w:keepNext') : null,
      isUnbroken ? tag('w:keepLines') : null,
      tabs === undefined
        ? null
        : tag(
            'w:tabs',
            {},
            ...tabs.map(({ at, line }) =>
              tag('w:tab', {
                'w:val': 'left',
                'w:pos': String(at),
                'w:leader': line ? 'underscore' : undefined,
              }),
            ),
          ),
      after === undefined ? null : tag('w:spacing', { 'w:after': String(after) }),
      left + hanging === 0
        ? null
        : tag('w:ind', {
            'w:left': String(left + hanging),
            'w:hanging': hasMark ? String(hanging) : undefined,
          }),
      align === undefined ? null : w('jc', align),
      section,
    ),
    ...(hasMark ? [textRun(mark, { isBold: true }), tabRun()] : []),
    ...runs,
  );
}

function drawing(
  { relation, width, height }: PlacedPicture,
  alt: string,
  room: number,
  id: number,
) {
  const scale = Math.min(
    1,
    (room * EMU_PER_TWIP) / (width * EMU_PER_PIXEL),
    (PICTURE_HEIGHT * EMU_PER_TWIP) / (height * EMU_PER_PIXEL),
  );
  const size = {
    cx: String(Math.max(1, Math.round(width * EMU_PER_PIXEL * scale))),
    cy: String(Math.max(1, Math.round(height * EMU_PER_PIXEL * scale))),
  };
  const named = { id: String(id), name: `Рисунок ${id}`, descr: alt };
  return tag(
    'w:r',
    {},
    tag(
      'w:drawing',
      {},
      tag(
        'wp:inline',
        { distT: '0', distB: '0', distL: '0', distR: '0' },
        tag('wp:extent', size),
        tag('wp:docPr', named),
        tag(
          'a:graphic',
          {},
          tag(
            'a:graphicData',
            { uri: 'http://schemas.openxmlformats.org/drawingml/2006/picture' },
            tag(
              'pic:pic',
              {},
              tag('pic:nvPicPr', {}, tag('pic:cNvPr', named), tag('pic:cNvPicPr')),
              tag(
                'pic:blipFill',
                {},
                tag('a:blip', { 'r:embed': relation }),
                tag('a:stretch', {}, tag('a:fillRect')),
              ),
              tag(
                'pic:spPr',
                {},
                tag('a:xfrm', {}, tag('a:off', { x: '0', y: '0' }), tag('a:ext', size)),
                tag('a:prstGeom', { prst: 'rect' }, tag('a:avLst')),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

const LOOKS: Readonly<Record<string, Look>> = {
  strong: { isBold: true },
  em: { isItalic: true },
  del: { isStruck: true },
  code: { isCode: true },
};

/** Runs of a text inside a paragraph; `room` is the width for pictures. */
export function runsOf(
  pieces: readonly XhtmlPiece[],
  placing: Placing,
  room: number = LINE_WIDTH,
  look: Look = { language: placing.language },
): Written[] {
  return pieces.flatMap((piece): Written[] => {
    if (typeof piece === 'string') {
      const text = piece.replaceAll(/\s*\n\s*/g, ' ');
      return text === '' ? [] : [textRun(text, look)];
    }
    const { name, attributes, children } = piece;
    if (name.startsWith('m:')) return [piece];
    if (name === 'br') return [breakRun()];
    if (name === 'img') {
      const picture = placing.picture(attributes['src'] ?? '');
      return picture ? [drawing(picture, attributes['alt'] ?? '', room, placing.nextId())] : [];
    }
    const runs = runsOf(children, placing, room, { ...look, ...LOOKS[name] });
    const href = attributes['href'] ?? '';
    // On paper a link is printed as its address.
    const isShown = href === '' || children.includes(href);
    return isShown ? runs : [...runs, textRun(` (${href})`, look)];
  });
}

const BLOCKS = new Set('p h1 h2 h3 h4 h5 h6 pre blockquote ul ol hr table'.split(' '));
const isBlock = (piece: XhtmlPiece): piece is Written =>
  typeof piece !== 'string' && BLOCKS.has(piece.name);
const LIST_INDENT = 340;

/** Paragraphs and tables of a text, with a mark before the first line. */
export function blocksOf(
  pieces: readonly XhtmlPiece[],
  placing: Placing,
  options: Paragraph = {},
): Written[] {
  const { mark, ...unmarked } = options;
  const left = (options.left ?? 0) + (options.hanging ?? 0);
  const room = LINE_WIDTH - left;
  const blocks: Written[] = [];
  /** Options of the next paragraph: only the first has the mark. */
  const next = (): Paragraph => (mark !== undefined && blocks.length === 0 ? options : unmarked);
  const markAlone = () => {
    if (next().mark !== undefined) blocks.push(paragraph([], options));
  };
  let inline: XhtmlPiece[] = [];
  const endParagraph = () => {
    if (inline.length > 0) blocks.push(paragraph(runsOf(inline, placing, room), next()));
    inline = [];
  };
  for (const piece of pieces) {
    if (!isBlock(piece)) {
      if (typeof piece !== 'string' || piece.trim() !== '' || inline.length > 0) inline.push(piece);
      continue;
    }
    endParagraph();
    const { name, children } = piece;
    if (name === 'p') blocks.push(paragraph(runsOf(children, placing, room), next()));
    else if (/^h\d$/.test(name))
      blocks.push(
        paragraph(
          runsOf(children, placing, room, { isBold: true, language: placing.language }),
          next(),
        ),
      );
    else if (name === 'pre') blocks.push(paragraph(codeRuns(piece), next()));
    else if (name === 'blockquote') {
      markAlone();
      blocks.push(
        ...blocksOf(children, placing, { ...unmarked, left: left + LIST_INDENT, hanging: 0 }),
      );
    } else if (name === 'ul' || name === 'ol') {
      markAlone();
      blocks.push(...listOf(piece, placing, { ...unmarked, left, hanging: LIST_INDENT }));
    } else if (name === 'table') {
      markAlone();
      // A table needs a paragraph after it, or the next table would be joined to it.
      blocks.push(textTable(piece, placing, left), paragraph([], { ...unmarked, after: 0 }));
    }
  }
  endParagraph();
  markAlone();
  return blocks;
}

const textOf = (piece: XhtmlPiece): string =>
  typeof piece === 'string' ? piece : piece.children.map(textOf).join('');

function codeRuns(pre: Written): Written[] {
  return textOf(pre)
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line, index) => [
      ...(index === 0 ? [] : [breakRun()]),
      textRun(line, { isCode: true }),
    ]);
}

function listOf(list: Written, placing: Placing, options: Paragraph): Written[] {
  const start = Number(list.attributes['start'] ?? 1);
  const items = list.children.filter((child): child is Written => typeof child !== 'string');
  return items.flatMap((item, index) =>
    blocksOf(item.children, placing, {
      ...options,
      mark: list.name === 'ol' ? `${start + index}.` : '•',
    }),
  );
}

const LINE = { 'w:val': 'single', 'w:sz': '4', 'w:space': '0', 'w:color': '808080' };
const SIDES = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];

export interface PaperTable {
  /** Widths of the columns. */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly (readonly Written[])[])[];
  readonly left?: number;
  readonly hasLines: boolean;
  /** The first row is repeated on each page. */
  readonly hasHead?: boolean;
}

/** A table; each cell is a list of paragraphs. A row is never divided between two pages. */
export function table({ widths, rows, left = 0, hasLines, hasHead = false }: PaperTable): Written {
  return tag(
    'w:tbl',
    {},
    tag(
      'w:tblPr',
      {},
      tag('w:tblW', { 'w:w': String(widths.reduce((a, b) => a + b, 0)), 'w:type': 'dxa' }),
      tag('w:tblInd', { 'w:w': String(left), 'w:type': 'dxa' }),
      hasLines ? tag('w:tblBorders', {}, ...SIDES.map((side) => tag(`w:${side}`, LINE))) : null,
      tag('w:tblLayout', { 'w:type': 'fixed' }),
    ),
    tag('w:tblGrid', {}, ...widths.map((width) => tag('w:gridCol', { 'w:w': String(width) }))),
    ...rows.map((cells, index) =>
      tag(
        'w:tr',
        {},
        tag('w:trPr', {}, tag('w:cantSplit'), hasHead && index === 0 ? tag('w:tblHeader') : null),
        ...cells.map((blocks, column) =>
          tag(
            'w:tc',
            {},
            tag('w:tcPr', {}, tag('w:tcW', { 'w:w': String(widths[column]), 'w:type': 'dxa' })),
            ...(blocks.length === 0 ? [paragraph([])] : blocks),
          ),
        ),
      ),
    ),
  );
}

/** A table in a text of the test. */
function textTable(source: Written, placing: Placing, left: number): Written {
  const lines = source.children.flatMap((part) => (typeof part === 'string' ? [] : part.children));
  const rows = lines.filter((line): line is Written => typeof line !== 'string');
  const cells = rows.map(({ children }) =>
    children.filter((cell): cell is Written => typeof cell !== 'string'),
  );
  const columns = Math.max(1, ...cells.map(({ length }) => length));
  const width = Math.floor((LINE_WIDTH - left) / columns);
  return table({
    widths: Array.from({ length: columns }, () => width),
    left,
    hasLines: true,
    rows: cells.map((line) =>
      line.map(({ name, children }) => [
        paragraph(
          runsOf(children, placing, width, {
            isBold: name === 'th',
            language: placing.language,
          }),
          { isUnbroken: true, after: 0 },
        ),
      ]),
    ),
  });
}
