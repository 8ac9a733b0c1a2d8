import type { Question } from '#contract/questions.ts';
import { areasPicture, isAnsweredOnPicture } from '#domain/areas.ts';
import { gapMark, withGapPlaces } from '#domain/format-gaps.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { writeArchive } from '#interchange/archive.ts';
import {
  AREAS_LOSS,
  fileNameOf,
  unknownKindLoss,
  withPassageInText,
} from '#interchange/exported.ts';
import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { lookOf, plainXhtml, type Dialect, type XhtmlPiece } from '#interchange/html/to-xhtml.ts';
import { piecesWithGaps } from '#interchange/items/gaps.ts';
import { namedPicture, pictureFileName } from '#interchange/items/pictures.ts';
import { pictureSize } from '#interchange/items/picture-size.ts';
import { nameFor } from '#interchange/items/titles.ts';
import { alternativesLoss, faithfulXhtml, losing } from '#interchange/items/writing.ts';
import type { ExportedTest, Writer } from '#interchange/model.ts';
import { tag, xmlBytes, type Written } from '#interchange/xml-writer.ts';
import { writeLom } from './lom.ts';
import { mathmlDrawer, type DrawFormula } from '#interchange/html/mathml.ts';
import { asVersion3 } from './normal.ts';
import { writeTranscript } from './transcript.ts';
import {
  choiceParts,
  gapsParts,
  matchParts,
  openParts,
  orderParts,
  uploadParts,
  type AnswerParts,
  type WritingAnswers,
  type WrittenGraphic,
} from './write-answers.ts';

interface Version {
  readonly items: string;
  readonly itemType: string;
  readonly testType: string;
  readonly manifest: string;
  readonly schema: string;
  readonly schemaVersion: string;
  readonly is3: boolean;
}

const QTI2: Version = {
  items: 'http://www.imsglobal.org/xsd/imsqti_v2p1',
  itemType: 'imsqti_item_xmlv2p1',
  testType: 'imsqti_test_xmlv2p1',
  manifest: 'http://www.imsglobal.org/xsd/imscp_v1p1',
  schema: 'QTIv2.1 Package',
  schemaVersion: '1.0.0',
  is3: false,
};

const QTI3: Version = {
  items: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0',
  itemType: 'imsqti_item_xmlv3p0',
  testType: 'imsqti_test_xmlv3p0',
  manifest: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1',
  schema: 'QTI Package',
  schemaVersion: '3.0.0',
  is3: true,
};

const outcome = (
  identifier: string,
  baseType: string,
  cardinality: string,
  value?: string,
  extra = {},
) =>
  tag(
    'outcomeDeclaration',
    { identifier, cardinality, baseType, ...extra },
    value === undefined ? null : tag('defaultValue', {}, tag('value', {}, value)),
  );

const ANSWER_PARTS: KindTable<
  AnswerParts,
  [writing: WritingAnswers, graphic: WrittenGraphic | null]
> = {
  variant: choiceParts,
  open: openParts,
  compliance: matchParts,
  ordering: orderParts,
  gaps: gapsParts,
  file: uploadParts,
};

/** The picture of a question that is answered on it, and the text without it; null: it is written as a list. */
function onPicture(
  question: Question,
  version: Version,
  pictures: ExportedTest['pictures'],
  loss: (line: string) => void,
): { graphic: WrittenGraphic; name: string; text: string } | null {
  if (!isAnsweredOnPicture(question)) return null;
  const found = areasPicture(question.text);
  const picture = pictures.get(found?.key ?? '');
  const size = picture && pictureSize(picture.bytes);
  if (!found || !size || question.options.some(({ area }) => !area)) {
    loss(AREAS_LOSS);
    return null;
  }
  const { key, before, after } = found;
  if (after.trim() !== '') loss('картинка с областями встанет после текста');
  const name = pictureFileName(key, picture.mimeType);
  const alt = found.alt.replaceAll(/\\(.)/g, '$1');
  const address = `../images/${name}`;
  const [width, height] = [String(size.width), String(size.height)];
  const element = version.is3
    ? tag('img', { src: address, alt, width, height })
    : tag('object', { type: picture.mimeType, data: address, width, height }, alt || null);
  return {
    graphic: { element, ...size },
    name,
    text: `${before.trim()}\n\n${after.trim()}`.trim(),
  };
}

/** A text for places without markup. */
function plainLabel(markdown: string, loss: (line: string) => void): string {
  const text = plainXhtml(markdown);
  const inline = { inline: true };
  if (lookOf(plainToMarkdown(text, inline), inline) !== lookOf(markdown, inline))
    loss('от оформления вариантов на картинке останется только текст');
  return text;
}

interface Item {
  readonly question: Question;
  readonly identifier: string;
  readonly root: Written;
  readonly pictures: readonly string[];
}

const exact = (node: Written): Written => ({ ...node, isExact: true });

const modalFeedback = (
  attributes: Readonly<Record<string, string>>,
  content: readonly (Written | string)[],
  { is3 }: Version,
): Written =>
  exact(
    tag('modalFeedback', attributes, ...(is3 ? [tag('contentBody', {}, ...content)] : content)),
  );

/** A question's text with the fields of its gaps. */
const textWithFields = (
  markdown: string,
  fields: ReadonlyMap<string, Written>,
  block: (markdown: string) => readonly XhtmlPiece[],
) =>
  piecesWithGaps(
    block(withGapPlaces(markdown, gapMark)),
    (gapId) => fields.get(gapId) ?? `[[${gapId}]]`,
  );

/** Null: the kind is not written. */
function written(
  question: Question,
  number: number,
  version: Version,
  { pictures, language }: Pick<ExportedTest, 'pictures' | 'language'>,
  draw: DrawFormula,
  loss: (line: string) => void,
): Item | null {
  const shown = new Set<string>();
  const enclose = (key: string, missing: string): string | null => {
    const named = namedPicture(key, missing, pictures, loss);
    if (!named) return null;
    shown.add(named.name);
    return `../images/${named.name}`;
  };
  const dialect: Dialect = {
    isQti: true,
    formula: (tex, display) => draw(tex, display, loss),
    picture: (address) => enclose(address, 'картинки'),
    recording: (address) => enclose(address, 'записи'),
  };
  const inline = (markdown: string) => faithfulXhtml(markdown, dialect, { inline: true }, loss);
  const block = (markdown: string) => faithfulXhtml(markdown, dialect, { inline: false }, loss);
  const placed = onPicture(question, version, pictures, loss);
  if (placed) shown.add(placed.name);
  const plain = (markdown: string) => plainLabel(markdown, loss);
  const parts = entryOf(ANSWER_PARTS, question)?.(
    question,
    { inline, plain, loss },
    placed?.graphic ?? null,
  );
  if (!parts) {
    loss(unknownKindLoss(question));
    return null;
  }
  const hasFeedback = parts.feedback.length > 0;
  const modal = (outcomeIdentifier: string, identifier: string, markdown: string) =>
    modalFeedback({ outcomeIdentifier, identifier, showHide: 'show' }, block(markdown), version);
  const text = parts.fields
    ? textWithFields(question.text, parts.fields, block)
    : block(placed?.text ?? question.text);
  const identifier = `item-${number}`;
  const root = tag(
    'assessmentItem',
    {
      xmlns: version.items,
      identifier,
      title: nameFor(question.title, question.text, number),
      adaptive: 'false',
      timeDependent: 'false',
      'xml:lang': language,
    },
    ...parts.declarations,
    outcome('SCORE', 'float', 'single', '0', { normalMaximum: String(question.points) }),
    outcome('MAXSCORE', 'float', 'single', String(question.points)),
    hasFeedback ? outcome('FEEDBACK', 'identifier', parts.cardinality ?? 'single') : null,
    question.explanation ? outcome('EXPLANATION', 'identifier', 'single', 'shown') : null,
    tag(
      'itemBody',
      {},
      exact(tag('div', {}, ...text)),
      writeTranscript(question, block, version.is3),
      parts.interaction,
    ),
    parts.processing,
    ...parts.feedback.map(({ identifier: of, text }) => modal('FEEDBACK', of, text)),
    question.explanation ? modal('EXPLANATION', 'shown', question.explanation) : null,
  );
  return { question, identifier, root, pictures: [...shown] };
}

function testOf(title: string, items: readonly Item[], version: Version): Written {
  return tag(
    'assessmentTest',
    { xmlns: version.items, identifier: 'test', title: title.trim() || 'Тест' },
    tag(
      'testPart',
      { identifier: 'part', navigationMode: 'nonlinear', submissionMode: 'simultaneous' },
      tag(
        'assessmentSection',
        { identifier: 'section', title: title.trim() || 'Тест', visible: 'true' },
        ...items.map(({ identifier }) =>
          tag('assessmentItemRef', { identifier, href: `items/${identifier}.xml` }),
        ),
      ),
    ),
  );
}

function manifestOf(items: readonly Item[], version: Version): Written {
  const file = (href: string) => tag('file', { href });
  const image = (name: string) => `images/${name}`;
  const images = [...new Set(items.flatMap(({ pictures }) => pictures))];
  return tag(
    'manifest',
    {
      xmlns: version.manifest,
      'xmlns:imsmd': 'http://ltsc.ieee.org/xsd/LOM',
      identifier: 'manifest',
    },
    tag(
      'metadata',
      {},
      tag('schema', {}, version.schema),
      tag('schemaversion', {}, version.schemaVersion),
    ),
    tag('organizations'),
    tag(
      'resources',
      {},
      tag(
        'resource',
        { identifier: 'test', type: version.testType, href: 'test.xml' },
        file('test.xml'),
        ...items.map(({ identifier }) => tag('dependency', { identifierref: identifier })),
      ),
      ...items.map(({ question, identifier, pictures }) => {
        const href = `items/${identifier}.xml`;
        return tag(
          'resource',
          { identifier, type: version.itemType, href },
          writeLom(question),
          file(href),
          ...pictures.map((name) =>
            tag('dependency', { identifierref: `image-${images.indexOf(name) + 1}` }),
          ),
        );
      }),
      ...images.map((name, index) =>
        tag(
          'resource',
          { identifier: `image-${index + 1}`, type: 'webcontent', href: image(name) },
          file(image(name)),
        ),
      ),
    ),
  );
}

async function write(test: ExportedTest, version: Version) {
  const { title, questions, pictures } = test;
  const losses = losing();
  const draw = await mathmlDrawer(questions);
  const merged = questions.map((question, index) => withPassageInText(question, index + 1));
  const items = merged.flatMap(
    ({ question }, index) =>
      written(question, index + 1, version, test, draw, losses.of(index + 1)) ?? [],
  );
  const named = (root: Written) => xmlBytes(version.is3 ? asVersion3(root) : root);
  const files = new Map<string, Uint8Array>([
    ['imsmanifest.xml', xmlBytes(manifestOf(items, version))],
    ['test.xml', named(testOf(title, items, version))],
    ...items.map(({ identifier, root }) => [`items/${identifier}.xml`, named(root)] as const),
  ]);
  for (const [key, { mimeType, bytes }] of pictures) {
    const name = pictureFileName(key, mimeType);
    if (items.some((item) => item.pictures.includes(name))) files.set(`images/${name}`, bytes);
  }
  return {
    fileName: fileNameOf(`${title} (QTI ${version.is3 ? '3' : '2.1'})`, 'zip'),
    mimeType: 'application/zip',
    bytes: writeArchive(files),
    losses: [
      ...alternativesLoss(questions),
      ...merged.flatMap((one) => one.losses),
      ...losses.all(),
    ],
  };
}

/** A package of QTI 2.1. */
export const writeQti2: Writer = (test) => write(test, QTI2);

/** A package of QTI 3.0. */
export const writeQti3: Writer = (test) => write(test, QTI3);
