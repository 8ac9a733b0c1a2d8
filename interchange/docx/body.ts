import { shifted } from '#interchange/html/formulas.ts';
import {
  joinedPieces,
  plainOf,
  type Line,
  type Numbering,
  type LinePiece,
  type Style,
} from '#interchange/marked/line.ts';
import type { XmlElement } from '#interchange/xml.ts';
import { WordFields } from './fields.ts';
import type { Lists } from './numbering.ts';
import { convertWordFormula } from './omml.ts';
import { testLines } from './test-table.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  elementsOf,
  findInside,
  textInside,
} from './xml-nodes.ts';

/** The parts of the document that the reader of a body needs. */
export interface Surroundings {
  readonly lists: Lists;
  /** Numbering inherited from a paragraph's style. */
  readonly styleList: (style: string) => { list: string; level: number } | null;
  /** Imports a picture by its relation; returns its key, or why it is not imported. */
  readonly picture: (relation: string) => { readonly key: string } | { readonly loss: string };
  /** The separator of field arguments, from the document's settings; null: unknown. */
  readonly listSeparator: string | null;
}

const OFF = /^(?:0|false|none|off)$/;
const has = (properties: XmlElement | undefined, name: string) => {
  const found = childOf(properties, name);
  return found !== undefined && !OFF.test(attributeOf(found, 'val'));
};
const PLAIN_COLOURS = /^(?:|auto|000000|FFFFFF|1F1F1F|0D0D0D|262626|333333|212529)$/i;

function stylesOf(properties: XmlElement | undefined): ReadonlySet<Style> {
  const styles = new Set<Style>();
  const fill = attributeOf(childOf(properties, 'shd'), 'fill');
  if (has(properties, 'highlight') || !PLAIN_COLOURS.test(fill)) styles.add('highlight');
  if (!PLAIN_COLOURS.test(attributeOf(childOf(properties, 'color'), 'val'))) styles.add('colour');
  if (has(properties, 'u')) styles.add('underline');
  if (has(properties, 'b')) styles.add('bold');
  if (has(properties, 'i')) styles.add('italic');
  return styles;
}

/** Reads paragraphs and tables of a document as lines. */
export class DocumentBody {
  private number = 0;
  private losses: string[] = [];
  private readonly around: Surroundings;
  private readonly fields: WordFields;

  constructor(around: Surroundings) {
    this.around = around;
    this.fields = new WordFields(around.listSeparator, (line) => this.losses.push(line));
  }

  private fieldMark(node: XmlElement): LinePiece[] {
    const kind = attributeOf(node, 'fldCharType');
    if (kind === 'begin') this.fields.begin();
    else if (kind === 'separate') this.fields.separate();
    else if (kind === 'end') return this.fields.end();
    return [];
  }

  private run(node: XmlElement): LinePiece[] {
    const properties = childOf(node, 'rPr');
    const align = attributeOf(childOf(properties, 'vertAlign'), 'val');
    const isHidden = has(properties, 'vanish');
    return elementsOf(node).flatMap((child): LinePiece[] => {
      if (child.name === 'fldChar') return this.fieldMark(child);
      if (child.name === 'instrText') {
        this.fields.addCode(textInside(child), align);
        return [];
      }
      return isHidden ? [] : this.fields.route(this.runPart(child, stylesOf(properties), align));
    });
  }

  private runPart(child: XmlElement, styles: ReadonlySet<Style>, align: string): LinePiece[] {
    switch (child.name) {
      case 't': {
        const text = textInside(child);
        if (align !== 'superscript' && align !== 'subscript')
          return [{ kind: 'words', text, styles }];
        const piece = shifted(text, align === 'superscript' ? 'sup' : 'sub');
        if (piece.kind === 'text') return [{ kind: 'words', text: piece.text, styles }];
        return [{ kind: 'markdown', text: `$${piece.tex}$` }];
      }
      case 'tab':
        return [{ kind: 'words', text: ' ', styles }];
      case 'br':
      case 'cr':
        return [{ kind: 'words', text: '\n', styles }];
      case 'noBreakHyphen':
        return [{ kind: 'words', text: '-', styles }];
      case 'sym':
        this.losses.push('Знак особого шрифта не перенесён: проверьте текст');
        return [];
      case 'footnoteReference':
      case 'endnoteReference':
        this.losses.push('Сноска не перенесена');
        return [];
      case 'drawing':
      case 'pict':
      case 'object':
        return this.drawing(child);
      case 'AlternateContent':
        return this.run({ ...child, children: elementsOf(childOf(child, 'Choice')) });
      default:
        return [];
    }
  }

  private drawing(node: XmlElement): LinePiece[] {
    const blip = findInside(node, 'blip');
    const image = findInside(node, 'imagedata');
    const relation = blip ? attributeOf(blip, 'embed') : attributeOf(image, 'id');
    const box = findInside(node, 'txbxContent');
    if (relation === '' || node.name === 'object') {
      const words = box ? textInside(box).trim() : '';
      this.losses.push(
        node.name === 'object'
          ? 'Вставленный объект (возможно, формула старого Word) не перенесён'
          : `Рисунок из фигур Word не перенесён${words === '' ? '' : `: «${words.slice(0, 60)}»`}`,
      );
      return [];
    }
    const imported = this.around.picture(relation);
    if ('loss' in imported) {
      this.losses.push(imported.loss);
      return [];
    }
    const about = findInside(node, 'docPr');
    const alt = attributeOf(about, 'descr')
      .replaceAll(/[[\]\\\n]+/g, ' ')
      .trim();
    return [{ kind: 'markdown', text: `![${alt}](file:${imported.key})` }];
  }

  private pieces(parent: XmlElement): LinePiece[] {
    return elementsOf(parent).flatMap((child): LinePiece[] => {
      switch (child.name) {
        case 'r':
          return this.run(child);
        case 'oMathPara':
          return this.pieces(child);
        case 'oMath': {
          const tex = convertWordFormula(child, (line) => this.losses.push(line));
          if (tex !== null) return this.fields.route([{ kind: 'markdown', text: `$${tex}$` }]);
          this.losses.push(`Формула не перенесена: «${textInside(child).slice(0, 60)}»`);
          return this.fields.route([{ kind: 'words', text: textInside(child), styles: new Set() }]);
        }
        case 'fldSimple': {
          this.fields.begin(attributeOf(child, 'instr'));
          this.fields.separate();
          const result = this.pieces(child);
          return [...result, ...this.fields.end()];
        }
        case 'hyperlink':
        case 'ins':
        case 'moveTo':
        case 'bdo':
        case 'dir':
        case 'smartTag':
        case 'sdt':
        case 'sdtContent':
        case 'customXml':
          return this.pieces(child);
        default:
          return [];
      }
    });
  }

  private numberingOf(properties: XmlElement | undefined): Numbering | null {
    const own = childOf(properties, 'numPr');
    const inherited = this.around.styleList(attributeOf(childOf(properties, 'pStyle'), 'val'));
    const list = attributeOf(childOf(own, 'numId'), 'val') || inherited?.list || '';
    if (list === '' || list === '0') return null;
    const level = Number(attributeOf(childOf(own, 'ilvl'), 'val') || (inherited?.level ?? 0));
    const mark = this.around.lists(list, level);
    return mark === null ? null : { list, level, mark };
  }

  private paragraph(node: XmlElement): Line[] {
    this.number += 1;
    this.losses = [];
    const place = `абзац ${this.number}`;
    const pieces = [...this.pieces(node), ...this.fields.endCodes()];
    const rows: LinePiece[][] = [[]];
    // A line break typed with Shift begins a separate line.
    for (const piece of pieces) {
      if (piece.kind === 'markdown') rows.at(-1)?.push(piece);
      else {
        for (const [index, text] of piece.text.split('\n').entries()) {
          if (index > 0) rows.push([]);
          if (text !== '') rows.at(-1)?.push({ ...piece, text });
        }
      }
    }
    const numbering = this.numberingOf(childOf(node, 'pPr'));
    return rows.map((row, index) => ({
      place,
      pieces: row,
      numbering: index === 0 ? numbering : null,
      losses: index === 0 ? this.losses : [],
    }));
  }

  private cell(node: XmlElement): Line[] {
    return this.lines(node).filter((line) => plainOf(line).trim() !== '');
  }

  private table(node: XmlElement): Line[] {
    const rows = childrenOf(node, 'tr').map((row) =>
      childrenOf(row, 'tc').map((cell) => this.cell(cell)),
    );
    const place = `абзац ${this.number}, таблица`;
    const asOne = (lines: readonly Line[]): Line => ({
      place,
      pieces: joinedPieces(lines),
      numbering: null,
      losses: [],
    });
    const width = Math.max(0, ...rows.map((row) => row.length));
    // A table of one column is only a frame around paragraphs.
    if (width < 2) return rows.flat(2);
    const test = testLines(rows);
    if (test) return test;
    const words = (lines: readonly Line[]) =>
      joinedPieces(lines)
        .map((piece) =>
          piece.kind === 'markdown'
            ? piece.text
            : piece.text.replaceAll(/[\\|*_`[\]<]/g, String.raw`\$&`),
        )
        .join('')
        .trim();
    const drawn = rows.map((row) => `| ${row.map(words).join(' | ')} |`);
    drawn.splice(1, 0, `|${'---|'.repeat(width)}`);
    const losses = rows.flatMap((row) =>
      row.flatMap((cell) => cell.flatMap((line) => line.losses)),
    );
    return [
      {
        place,
        pieces: [{ kind: 'markdown', text: `\n${drawn.join('\n')}\n` }],
        numbering: null,
        losses,
        ...(width === 2 && rows.length > 1
          ? {
              sides: rows.map(([left = [], right = []]) => ({
                left: asOne(left),
                right: asOne(right),
              })),
            }
          : {}),
      },
    ];
  }

  /** Lines of a body or a cell, in their order. */
  lines(parent: XmlElement): Line[] {
    return elementsOf(parent).flatMap((child): Line[] => {
      switch (child.name) {
        case 'p':
          return this.paragraph(child);
        case 'tbl':
          return this.table(child);
        case 'sdt':
          return this.lines(childOf(child, 'sdtContent') ?? child);
        case 'ins':
        case 'moveTo':
        case 'customXml':
          return this.lines(child);
        default:
          return [];
      }
    });
  }
}
