import type { Question } from '#contract/questions.ts';
import { isSamePassage } from '#domain/passages.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { writeArchive } from '#interchange/archive.ts';
import { fileNameOf, unknownKindOnPaper } from '#interchange/exported.ts';
import { mathmlDrawer, type DrawFormula } from '#interchange/html/mathml.ts';
import { markdownToXhtml, type Dialect } from '#interchange/html/to-xhtml.ts';
import { namedPicture } from '#interchange/items/pictures.ts';
import { losing } from '#interchange/items/writing.ts';
import type { Exported } from '#interchange/model.ts';
import { tag, xmlBytes, type Written } from '#interchange/xml-writer.ts';
import { wordFormula } from './formula.ts';
import { keyTable } from './key.ts';
import {
  hasAnswerPlace,
  nameLines,
  passageOnSheet,
  questionOnSheet,
  type Writing,
} from './sheet.ts';
import { paperVariant, type PaperQuestion } from './variants.ts';
import { paragraph, textRun, type PlacedPicture, type Placing } from './words.ts';

export interface PaperTest {
  readonly title: string;
  /** Language of the questions. The instructions for students are Russian. Absent: Russian. */
  readonly language?: string | undefined;
  readonly questions: readonly Question[];
  /** PNG, JPEG or GIF, which every Word shows; a missing one is a loss. */
  readonly pictures: ReadonlyMap<string, PaperPicture>;
  /** Number of variants. */
  readonly variants: number;
  /** Whether the questions are shuffled, too. */
  readonly isShuffled: boolean;
  /** The sheets for students, or the key to the same sheets. */
  readonly part: 'sheets' | 'key';
}

export interface PaperPicture {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/gif';
  readonly bytes: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

const MIME_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const RELATIONS = `${OFFICE}/relationships`;
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const NAMESPACES = {
  'xmlns:w': 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'xmlns:r': RELATIONS,
  'xmlns:m': `${OFFICE}/math`,
  'xmlns:wp': `${DRAWING}/wordprocessingDrawing`,
  'xmlns:a': `${DRAWING}/main`,
  'xmlns:pic': `${DRAWING}/picture`,
};
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
/** A4 with margins of 1.75 cm; twentieths of a point. */
const PAGE = { 'w:w': '11906', 'w:h': '16838' };
const MARGINS = Object.fromEntries(
  ['top', 'right', 'bottom', 'left'].map((side) => [`w:${side}`, '990']),
);

const REGIONS: Readonly<Record<string, string>> = {
  en: 'GB',
  zh: 'CN',
  tt: 'RU',
  ba: 'RU',
  cv: 'RU',
};
/** A language as Word names it, with a region. */
const wordLanguage = (language: string) =>
  `${language}-${REGIONS[language] ?? language.toUpperCase()}`;

interface Variant {
  readonly label: string | null;
  readonly selected: readonly PaperQuestion[];
}

/** The writing context of one document; `files` receives the pictures that its texts show. */
function writingInto(
  files: Map<string, Uint8Array>,
  { pictures, language = 'ru' }: PaperTest,
  draw: DrawFormula,
) {
  const places = new Map<string, PlacedPicture>();
  let drawings = 0;
  const placing: Placing = {
    language: language === 'ru' ? undefined : wordLanguage(language),
    nextId: () => (drawings += 1),
    picture: (key) => {
      const known = places.get(key);
      const picture = pictures.get(key);
      if (known || !picture) return known ?? null;
      const relation = `picture${places.size + 1}`;
      const { mimeType, bytes, width, height } = picture;
      files.set(`word/media/${relation}.${mimeType.replace('image/', '')}`, bytes);
      const made = { relation, width, height };
      places.set(key, made);
      return made;
    },
  };
  return (lose: (line: string) => void): Writing => {
    const dialect: Dialect = {
      isQti: false,
      picture: (key) => (namedPicture(key, 'картинки', pictures, lose) ? key : null),
      recording: () => {
        lose('запись на бумаге не прозвучит, осталось её описание');
        return null;
      },
      formula: (tex, display) =>
        draw(tex, display, lose).map((piece) =>
          typeof piece === 'string' ? piece : wordFormula(piece, display),
        ),
    };
    return {
      placing,
      block: (markdown) => markdownToXhtml(markdown, dialect, { inline: false }),
      inline: (markdown) => markdownToXhtml(markdown, dialect, { inline: true }),
    };
  };
}

/** Contents that a sheet cannot show, by the question's number in the test. */
function lossesOf(
  questions: readonly Question[],
  writingFor: (lose: (line: string) => void) => Writing,
): readonly string[] {
  const losses = losing();
  for (const [index, question] of questions.entries()) {
    const shown = studentQuestion(question, () => '');
    const writing = writingFor(losses.of(index + 1));
    if (shown.passage) passageOnSheet(shown.passage, writing);
    questionOnSheet(shown, index + 1, writing);
    if (!hasAnswerPlace(shown)) losses.of(index + 1)(unknownKindOnPaper(question));
  }
  return losses.all();
}

const heading = (text: string) => paragraph([textRun(text)], { style: 'Title', isUnbroken: true });

function headerOf(title: string, label: string | null): Written {
  const text = label === null ? title : `${title}. ${label}`;
  return tag('w:hdr', NAMESPACES, paragraph([textRun(text)], { style: 'Header', align: 'right' }));
}

const FOOTER = tag(
  'w:ftr',
  NAMESPACES,
  paragraph([tag('w:fldSimple', { 'w:instr': 'PAGE' }, textRun('1'))], {
    style: 'Header',
    align: 'center',
  }),
);

/** Each variant is a section with its own header, and begins on page 1. */
const sectionOf = (index: number) =>
  tag(
    'w:sectPr',
    {},
    tag('w:headerReference', { 'w:type': 'default', 'r:id': `header${index + 1}` }),
    tag('w:footerReference', { 'w:type': 'default', 'r:id': 'footer' }),
    tag('w:type', { 'w:val': 'nextPage' }),
    tag('w:pgSz', PAGE),
    tag('w:pgMar', { ...MARGINS, 'w:header': '500', 'w:footer': '500', 'w:gutter': '0' }),
    tag('w:pgNumType', { 'w:start': '1' }),
  );

/** Sections of the sheets, one for each variant. */
function sheets(title: string, variants: readonly Variant[], writing: Writing): Written[][] {
  return variants.map(({ label, selected }) => [
    heading(title),
    ...(label === null
      ? []
      : [paragraph([textRun(label, { isBold: true })], { isUnbroken: true })]),
    ...nameLines(),
    ...selected.flatMap(({ shown }, index) => {
      const { passage } = shown;
      const former = selected[index - 1]?.shown.passage;
      const isNew = passage && (former === undefined || !isSamePassage(former, passage));
      const before = isNew ? passageOnSheet(passage, writing) : [];
      return [...before, ...questionOnSheet(shown, index + 1, writing)];
    }),
  ]);
}

/** One section with all keys. */
function keys(title: string, variants: readonly Variant[], language: string): Written[][] {
  return [
    [
      heading(`Ключи к тесту «${title}»`),
      ...variants.flatMap(({ label, selected }) => [
        ...(label === null
          ? []
          : [paragraph([textRun(label, { isBold: true })], { isUnbroken: true })]),
        keyTable(selected, language === 'ru' ? undefined : wordLanguage(language)),
        paragraph([]),
      ]),
    ],
  ];
}

/** The body: each section but the last ends with a paragraph that contains its properties. */
function bodyOf(sections: readonly (readonly Written[])[]): Written {
  const blocks = sections.flatMap((section, index) =>
    index === sections.length - 1
      ? [...section, sectionOf(index)]
      : [...section, paragraph([], { after: 0, section: sectionOf(index) })],
  );
  return tag('w:document', NAMESPACES, tag('w:body', {}, ...blocks));
}

function styles(): Written {
  const font = { 'w:ascii': 'Arial', 'w:hAnsi': 'Arial', 'w:cs': 'Arial' };
  const style = (id: string, name: string, ...properties: Written[]) =>
    tag(
      'w:style',
      {
        'w:type': 'paragraph',
        'w:default': id === 'Normal' ? '1' : undefined,
        'w:styleId': id,
      },
      tag('w:name', { 'w:val': name }),
      ...properties,
    );
  const size = (halfPoints: number) => tag('w:sz', { 'w:val': String(halfPoints) });
  return tag(
    'w:styles',
    NAMESPACES,
    tag(
      'w:docDefaults',
      {},
      tag(
        'w:rPrDefault',
        {},
        tag('w:rPr', {}, tag('w:rFonts', font), size(22), tag('w:lang', { 'w:val': 'ru-RU' })),
      ),
      tag(
        'w:pPrDefault',
        {},
        tag(
          'w:pPr',
          {},
          tag('w:spacing', { 'w:after': '120', 'w:line': '259', 'w:lineRule': 'auto' }),
        ),
      ),
    ),
    style('Normal', 'Normal'),
    style('Title', 'Title', tag('w:rPr', {}, tag('w:b'), size(30))),
    style('Header', 'header', tag('w:rPr', {}, size(18))),
  );
}

function relations(
  list: readonly { readonly id: string; readonly type: string; readonly target: string }[],
): Uint8Array {
  return xmlBytes(
    tag(
      'Relationships',
      { xmlns: `${PACKAGE}/relationships` },
      ...list.map(({ id, type, target }) =>
        tag('Relationship', { Id: id, Type: `${RELATIONS}/${type}`, Target: target }),
      ),
    ),
  );
}

/** Packs the parts together (Open Packaging Conventions, ECMA-376 part 2). */
function packed(
  sections: readonly (readonly Written[])[],
  headers: readonly Written[],
  media: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const override = (path: string, kind: string) =>
    tag('Override', { PartName: `/word/${path}.xml`, ContentType: `${WORD}.${kind}+xml` });
  const names = headers.map((_, index) => `header${index + 1}`);
  const types = tag(
    'Types',
    { xmlns: `${PACKAGE}/content-types` },
    tag('Default', {
      Extension: 'rels',
      ContentType: 'application/vnd.openxmlformats-package.relationships+xml',
    }),
    ...['png', 'jpeg', 'gif'].map((kind) =>
      tag('Default', { Extension: kind, ContentType: `image/${kind}` }),
    ),
    override('document', 'document.main'),
    override('styles', 'styles'),
    override('footer', 'footer'),
    ...names.map((name) => override(name, 'header')),
  );
  return writeArchive(
    new Map([
      ['[Content_Types].xml', xmlBytes(types)],
      [
        '_rels/.rels',
        relations([{ id: 'document', type: 'officeDocument', target: 'word/document.xml' }]),
      ],
      ['word/document.xml', xmlBytes(bodyOf(sections))],
      ['word/styles.xml', xmlBytes(styles())],
      ['word/footer.xml', xmlBytes(FOOTER)],
      ...headers.map((header, index) => [`word/${names[index]}.xml`, xmlBytes(header)] as const),
      [
        'word/_rels/document.xml.rels',
        relations([
          { id: 'styles', type: 'styles', target: 'styles.xml' },
          { id: 'footer', type: 'footer', target: 'footer.xml' },
          ...names.map((name) => ({ id: name, type: 'header', target: `${name}.xml` })),
          ...[...media.keys()].map((path, index) => ({
            id: `picture${index + 1}`,
            type: 'image',
            target: path.replace('word/', ''),
          })),
        ]),
      ],
      ...media,
    ]),
  );
}

/** A test for printing on A4 as a Word document: the sheets of all variants, or the key to them. */
export async function writePaper(test: PaperTest): Promise<Exported> {
  const { questions, part } = test;
  const title = test.title.trim() || 'Тест';
  const variants = Array.from({ length: test.variants }, (_, index): Variant => ({
    label: test.variants === 1 ? null : `Вариант ${index + 1}`,
    selected: paperVariant(questions, index + 1, test),
  }));
  const files = new Map<string, Uint8Array>();
  const isKey = part === 'key';
  const writingFor = writingInto(files, test, await mathmlDrawer(isKey ? [] : questions));
  const sections = isKey
    ? keys(title, variants, test.language ?? 'ru')
    : sheets(
        title,
        variants,
        writingFor(() => undefined),
      );
  const headers = sections.map((_, index) =>
    headerOf(title, isKey ? 'Ключи' : (variants[index]?.label ?? null)),
  );
  return {
    fileName: fileNameOf(`${title} — ${isKey ? 'ключи' : 'задания'}`, 'docx'),
    mimeType: MIME_TYPE,
    bytes: packed(sections, headers, files),
    losses: isKey ? [] : lossesOf(questions, writingFor),
  };
}
