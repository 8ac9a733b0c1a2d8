import { normalForm } from '#domain/normal-form.ts';
import { readArchive } from '#interchange/archive.ts';
import { UnreadableFile } from '#interchange/model.ts';
import {
  element,
  elements,
  everyElement,
  readXml,
  type XmlElement,
  textOf,
} from '#interchange/xml.ts';
import type { ItemMetadata } from './item.ts';
import { readLom } from './lom.ts';
import { asVersion2 } from './normal.ts';
import type { Rubric } from './shared-texts.ts';

/** A position of an item, in the order of the test. */
export interface ItemPlace {
  readonly path: string;
  readonly weight: number;
  readonly metadata: ItemMetadata;
  readonly rubrics: readonly Rubric[];
}

export interface Package {
  readonly title: string | null;
  readonly places: readonly ItemPlace[];
  /** Rubrics of all sections, also of those without items. */
  readonly rubrics: readonly Rubric[];
  readonly files: ReadonlyMap<string, () => Uint8Array>;
  /** Paths that were read; the rest is reported. */
  readonly known: Set<string>;
  readonly notes: readonly string[];
}

const XML_FILE_BOUNDS = { bytes: 10 * 1024 * 1024, depth: 100, nodes: 300_000 };
export const readPart = (bytes: Uint8Array): XmlElement =>
  asVersion2(readXml(bytes, XML_FILE_BOUNDS).root);

/** Resolves a path in a file; null when it leads out of the archive. */
export function resolvePath(from: string, href: string): string | null {
  const path = href.replace(/[?#].*$/, '');
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(path)) return null;
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of decoded(path).split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return normalForm(parts.join('/'), 'NFC');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Files that belong to no question: schemas, styles, traces of operating systems. */
const SILENT = /\.(?:xsd|dtd|css|xsl|ent|mod)$|__MACOSX|\.DS_Store|Thumbs\.db/i;

/** Names the files of a package that were not read; null when all were. */
export function unreadFilesNote({ files, known }: Pick<Package, 'files' | 'known'>): string | null {
  const rest = [...files.keys()].filter((path) => !known.has(path) && !SILENT.test(path));
  if (rest.length === 0) return null;
  return `Не читались файлы пакета (${rest.length}): ${rest.slice(0, 5).join(', ')}${rest.length > 5 ? ' и другие' : ''}.`;
}

interface Resource {
  readonly path: string;
  readonly type: string;
  readonly metadata: ItemMetadata;
}

function resourcesOf(manifest: XmlElement, at: string): Resource[] {
  return [...everyElement(manifest)]
    .filter(({ name }) => name === 'resource')
    .flatMap((resource) => {
      const href =
        resource.attributes.get('href') ?? element(resource, 'file')?.attributes.get('href') ?? '';
      const path = href === '' ? null : resolvePath(at, href);
      const type = (resource.attributes.get('type') ?? '').toLowerCase();
      return path === null ? [] : [{ path, type, metadata: readLom(resource) }];
    });
}

const ITEM_TYPE = /imsqti_item|assessmentitem|imsqti_apipitem/;
const TEST_TYPE = /imsqti_(?:test|assessment|section)|assessmenttest/;
const OLD_TYPE = /xmlv1p[012]/;

function weightOf(ref: XmlElement): number {
  const [first] = elements(ref, 'weight');
  const value = Number(first?.attributes.get('value') ?? 1);
  return Number.isFinite(value) && value > 0 ? value : 1;
}

/** Whether students see any of it. */
const isShown = (rubric: XmlElement): boolean =>
  /candidate/.test(rubric.attributes.get('view') ?? 'candidate') &&
  (textOf(rubric).trim() !== '' || [...everyElement(rubric)].some(({ name }) => name === 'img'));

const MAX_REFS = 20_000;
const MAX_SECTIONS = 200;
const MAX_NOTES = 20;

interface ItemRef {
  readonly path: string;
  readonly weight: number;
  readonly rubrics: readonly Rubric[];
}

interface Walk {
  readonly open: (path: string) => XmlElement | null;
  readonly seen: Set<string>;
  readonly note: (line: string) => void;
  readonly rubric: (rubric: Rubric) => void;
}

/** Items in a test’s order, including sections in separate files, with the texts of the sections around them. */
function* refsOf(
  root: XmlElement,
  at: string,
  walk: Walk,
  outer: readonly Rubric[] = [],
): Generator<ItemRef> {
  const own = elements(root, 'rubricBlock')
    .filter(isShown)
    .map((node) => ({ node, path: at }));
  own.forEach(walk.rubric);
  const rubrics = [...outer, ...own];
  for (const node of elements(root)) {
    const path = resolvePath(at, node.attributes.get('href') ?? '') || null;
    if (node.name === 'selection')
      walk.note(
        `Раздел показывал часть вопросов (${(node.attributes.get('select') ?? '').slice(0, 10)}): войдут все`,
      );
    if (node.name === 'testPart' || node.name === 'assessmentSection')
      yield* refsOf(node, at, walk, rubrics);
    else if (path === null) continue;
    else if (node.name === 'assessmentItemRef') yield { path, weight: weightOf(node), rubrics };
    else if (
      node.name === 'assessmentSectionRef' &&
      !walk.seen.has(path) &&
      walk.seen.size < MAX_SECTIONS
    ) {
      // Sections that reference each other would never end.
      walk.seen.add(path);
      const section = walk.open(path);
      if (section) yield* refsOf(section, path, walk, rubrics);
    }
  }
}

/** Reads a package’s manifest and test. @throws {UnreadableFile} no package, or one of version 1 */
export function readPackage(bytes: Uint8Array): Package {
  const { files, notes } = readArchive(bytes);
  const known = new Set<string>();
  const open = (path: string): XmlElement | null => {
    const file = files.get(path);
    known.add(path);
    if (!file) return null;
    try {
      return readPart(file());
    } catch (error) {
      if (error instanceof UnreadableFile) return null;
      throw error;
    }
  };
  const manifestPath = [...files.keys()]
    .filter((path) => /(?:^|\/)imsmanifest\.xml$/i.test(path))
    .sort((a, b) => a.length - b.length)[0];
  if (manifestPath === undefined) return withoutManifest(files, known, notes);
  known.add(manifestPath);
  const manifest = readPart(files.get(manifestPath)?.() ?? new Uint8Array());
  const resources = resourcesOf(manifest, manifestPath);
  const metadata = new Map(resources.map((resource) => [resource.path, resource.metadata]));
  const tests = resources.filter(({ type }) => TEST_TYPE.test(type) && !OLD_TYPE.test(type));
  const items = resources.filter(({ type }) => ITEM_TYPE.test(type) && !OLD_TYPE.test(type));
  if (items.length === 0 && tests.length === 0 && resources.some(({ type }) => OLD_TYPE.test(type)))
    throw new UnreadableFile('Это пакет QTI версии 1. Выберите «QTI 1.2».');
  const places: ItemPlace[] = [];
  const placed = new Set<string>();
  const place = ({ path, weight, rubrics }: ItemRef) => {
    if (placed.has(path) || placed.size >= MAX_REFS) return;
    placed.add(path);
    places.push({ path, weight, rubrics, metadata: metadata.get(path) ?? {} });
  };
  const shown: Rubric[] = [];
  const rubric = (one: Rubric) => shown.push(one);
  let title: string | null = null;
  const said = new Set<string>();
  const note = (line: string) => said.size < MAX_NOTES && said.add(line);
  for (const { path } of tests) {
    const test = open(path);
    if (!test) continue;
    title ??= test.attributes.get('title')?.trim() || null;
    for (const ref of refsOf(test, path, { open, note, rubric, seen: new Set() })) place(ref);
  }
  const inTest = places.length;
  for (const { path } of items) place({ path, weight: 1, rubrics: [] });
  const more =
    inTest > 0 && places.length > inTest
      ? [`Вопросы, которых нет в тесте пакета, стоят в конце: ${places.length - inTest}.`]
      : [];
  if (places.length === 0) return { ...withoutManifest(files, known, notes), rubrics: shown };
  return { title, places, rubrics: shown, files, known, notes: [...notes, ...said, ...more] };
}

function withoutManifest(
  files: Package['files'],
  known: Set<string>,
  notes: readonly string[],
): Package {
  const places = [...files.keys()]
    .filter((path) => /\.xml$/i.test(path) && !path.includes('__MACOSX') && !known.has(path))
    .sort((a, b) => a.localeCompare(b, 'ru', { numeric: true }))
    .map((path) => ({ path, weight: 1, metadata: {}, rubrics: [] }));
  return {
    title: null,
    places,
    rubrics: [],
    files,
    known,
    notes: [...notes, 'Списка вопросов в пакете нет: прочитаны все файлы XML.'],
  };
}
