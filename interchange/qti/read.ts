import { isArchive } from '#interchange/archive.ts';
import { collecting, type Collected } from '#interchange/collected.ts';
import { UnreadableFile, type PickedFile, type Reader, type Tools } from '#interchange/model.ts';
import { readXml, type XmlElement } from '#interchange/xml.ts';
import { itemExcerpt, readItem, type ItemMetadata, type ItemSource } from './item.ts';
import { asVersion2 } from './normal.ts';
import { readPackage, readPart, resolvePath, unreadFilesNote, type Package } from './package.ts';
import { packagePictures } from './pictures.ts';
import { readRubrics, type ReadRubrics } from './shared-texts.ts';

type Version = 'qti2' | 'qti3';

const versionOf = (root: XmlElement): Version => (root.name.startsWith('qti-') ? 'qti3' : 'qti2');

interface ItemFile {
  readonly root: XmlElement;
  readonly place: string;
  readonly metadata: ItemMetadata;
  readonly weight: number;
  readonly format: Version;
  readonly rubrics: ItemSource['rubrics'];
  readonly stimulus: (href: string) => XmlElement | null;
  readonly passageId: (text: string) => string;
}

function createPassageIds({ newId }: Tools): (text: string) => string {
  const ids = new Map<string, string>();
  return (text) => {
    const id = ids.get(text) ?? newId();
    ids.set(text, id);
    return id;
  };
}

function addItem(
  { root, ...given }: ItemFile,
  picture: (src: string, loss: (line: string) => void) => string | null,
  found: Collected,
  tools: Tools,
  rubrics?: ReadRubrics,
): void {
  found.language(root.attributes.get('xml:lang') ?? '');
  const read = readItem({ item: root, ...given, newId: tools.newId, picture });
  if ('reason' in read) {
    found.refuse(given.place, itemExcerpt(root), read.reason);
    return;
  }
  found.add({ question: read.question, place: given.place, losses: read.losses });
  rubrics?.used(read);
}

/** The version of the first item; the collection needs it earlier. */
function packageVersion({ places, files }: Package): Version {
  const file = files.get(places[0]?.path ?? '');
  try {
    return file ? versionOf(readXml(file()).root) : 'qti2';
  } catch (error) {
    if (error instanceof UnreadableFile) return 'qti2';
    throw error;
  }
}

function readAll(bytes: Uint8Array, tools: Tools) {
  const pack = readPackage(bytes);
  const format = packageVersion(pack);
  const found = collecting(format, tools);
  const pictures = packagePictures(pack.files, pack.known, found, tools);
  const rubrics = readRubrics(pack.rubrics, found, pictures.from);
  const passageId = createPassageIds(tools);
  let read = 0;
  for (const { path, weight, metadata, ...place } of pack.places) {
    if (found.isFull()) break;
    pack.known.add(path);
    const file = pack.files.get(path);
    if (!file) {
      found.refuse(path, metadata.title ?? '', 'Этого файла в пакете нет');
      continue;
    }
    try {
      const root = readPart(file());
      if (root.name !== 'assessmentItem') {
        if (root.name !== 'assessmentTest' && root.name !== 'manifest')
          found.refuse(path, '', 'Это не вопрос QTI');
        continue;
      }
      read += 1;
      const stimulus = (href: string) => {
        const at = resolvePath(path, href);
        const text = at === null ? undefined : pack.files.get(at);
        if (at !== null) pack.known.add(at);
        return text ? readPart(text()) : null;
      };
      const shared = () => place.rubrics.map(rubrics.textOf);
      addItem(
        { root, place: path, metadata, weight, format, rubrics: shared, stimulus, passageId },
        pictures.from(path),
        found,
        tools,
        rubrics,
      );
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      found.refuse(path, metadata.title ?? '', error.message);
    }
  }
  if (read === 0 && pack.places.every(({ path }) => !pack.files.has(path) || /\.xml$/i.test(path)))
    reportEmpty(found);
  rubrics.end();
  for (const note of pack.notes) found.note(note);
  found.note(unreadFilesNote(pack));
  return found.done(pack.title);
}

function reportEmpty(found: Collected): void {
  if (found.done().refused.length === 0)
    throw new UnreadableFile('В этом архиве нет вопросов QTI. Выберите другой файл.');
}

function readSingle({ bytes, name }: PickedFile, tools: Tools) {
  const { root: raw, note } = readXml(bytes);
  const root = asVersion2(raw);
  if (root.name === 'questestinterop')
    throw new UnreadableFile('Это QTI версии 1. Выберите «QTI 1.2».');
  if (root.name === 'assessmentTest' || root.name === 'assessmentSection')
    throw new UnreadableFile(
      'Это список вопросов QTI без самих вопросов: выберите архив ZIP, в котором он лежит.',
    );
  if (root.name !== 'assessmentItem')
    throw new UnreadableFile('В файле нет вопроса QTI. Выберите другой файл.');
  const format = versionOf(raw);
  const found = collecting(format, tools);
  found.note(note);
  const picture = packagePictures(new Map(), new Set(), found, tools).from(name);
  addItem(
    {
      root,
      place: name,
      metadata: {},
      weight: 1,
      format,
      rubrics: () => [],
      stimulus: () => null,
      passageId: createPassageIds(tools),
    },
    picture,
    found,
    tools,
  );
  return found.done();
}

/** Reads the questions of a QTI package or item, versions 2.0–2.2 and 3.0. @throws {UnreadableFile} */
export const readQti: Reader = (file, tools) =>
  Promise.resolve().then(() =>
    isArchive(file.bytes) ? readAll(file.bytes, tools) : readSingle(file, tools),
  );
