import { isArchive } from '#interchange/archive.ts';
import type { Passage } from '#contract/questions.ts';
import { collecting, type Collected } from '#interchange/collected.ts';
import { createPassageNotes, PASSAGE_TOO_LONG, readPassages } from '#interchange/items/passages.ts';
import {
  UnreadableFile,
  type Imported,
  type PickedFile,
  type Reader,
  type Tools,
} from '#interchange/model.ts';
import { unreadFilesNote } from '#interchange/qti/package.ts';
import { packagePictures, type PackagePictures } from '#interchange/qti/pictures.ts';
import { readXml, type XmlElement } from '#interchange/xml.ts';
import { isTextOnly, readItem, readStimulus } from './item.ts';
import { refusalOf } from './messages.ts';
import { pictureLocator, readPackage } from './package.ts';
import { itemExcerpt } from './presentation.ts';
import { readInterop, type BankReference } from './sections.ts';

interface Reading {
  readonly found: Collected;
  readonly tools: Tools;
  readonly pictures: PackagePictures;
  readonly banks: Set<string>;
  readonly references: (BankReference & { readonly path: string })[];
  percents: number;
}

interface Source {
  readonly root: XmlElement;
  readonly path: string;
  readonly shuffle: boolean;
  /** The location of an item for a teacher: with its file if the archive has several. */
  readonly placeOf: (line: number) => string;
}

/** A text that its questions name (Canvas). */
interface ParentText {
  readonly passage: Passage;
  readonly place: string;
  isUsed: boolean;
}

function reportParents(found: Collected, parents: readonly ParentText[]): void {
  const note = createPassageNotes(found, 'вопросов к нему', 'вопросов к ним');
  for (const { passage, place, isUsed } of parents) {
    if (isUsed) note(passage.text, place);
    else if (!found.isFull())
      found.refuse(place, passage.text, refusalOf('text_only_question') ?? '');
  }
}

/** Reads the items of one `questestinterop`; returns the title of its test. */
function readInto(reading: Reading, { root, path, shuffle, placeOf }: Source): string | null {
  const { found, tools, pictures } = reading;
  const { title, places, references, banks } = readInterop(root);
  for (const bank of banks) reading.banks.add(bank);
  reading.references.push(...references.map((one) => ({ ...one, path: placeOf(one.line) })));
  const parents = new Set(places.map(({ stimulus }) => stimulus));
  const given = { newId: tools.newId, picture: pictures.from(path), embed: pictures.embed };
  const passages = new Map<string, ParentText>();
  for (const { item } of places) {
    const ident = item.attributes.get('ident') ?? '';
    if (ident === '' || !parents.has(ident)) continue;
    const losses = new Set<string>();
    const read = readStimulus({ item, ...given }, (line) => losses.add(line));
    if (!read || read.text === '' || read.isTooLong) continue;
    losses.forEach(found.note);
    const passage = { passageId: tools.newId(), text: read.text };
    passages.set(ident, { passage, place: placeOf(item.line), isUsed: false });
  }
  const between = readPassages(found, tools.newId);
  // The section that contains the text between the questions: the text ends with it.
  let home: XmlElement | undefined;
  for (const { item, around, topic, stimulus, points, losses } of places) {
    if (found.isFull()) break;
    const place = placeOf(item.line);
    const ident = item.attributes.get('ident') ?? '';
    if (home !== undefined && !around.includes(home)) {
      between.end();
      home = undefined;
    }
    if (passages.has(ident)) continue;
    const isText = isTextOnly(item) || (ident !== '' && parents.has(ident));
    const alone = isText ? readStimulus({ item, ...given }, found.note) : null;
    if (alone) {
      const reason = refusalOf('text_only_question') ?? '';
      if (alone.text === '' || alone.isTooLong) {
        between.end();
        found.refuse(place, itemExcerpt(item), alone.isTooLong ? PASSAGE_TOO_LONG : reason);
      } else {
        between.begin({ place, text: alone.text, reason });
        home = around.at(-1);
      }
      continue;
    }
    const parent = passages.get(stimulus);
    const read = readItem({
      item,
      stimulus,
      passage: stimulus === '' ? between.shown().passage : parent?.passage,
      topic,
      groupPoints: points,
      groupLosses: losses,
      shuffle,
      ...given,
    });
    if ('reason' in read) {
      found.refuse(place, itemExcerpt(item), read.reason);
      continue;
    }
    if (read.isPercent) reading.percents += 1;
    found.add({ question: read.question, place, losses: read.losses });
    if (stimulus === '') between.used();
    else if (parent) parent.isUsed = true;
  }
  between.end();
  reportParents(found, [...passages.values()]);
  return title;
}

/** Reports what the files only reference, and what they lack. */
function finish({ found, banks, references, percents }: Reading, title: string | null): Imported {
  const drawn = new Set<string>();
  for (const { title: group, bank, path } of references) {
    if (banks.has(bank)) drawn.add(group);
    else
      found.refuse(
        path,
        group,
        'Вопросы берутся из банка, которого в файле нет. Выгрузите и этот банк',
      );
  }
  if (drawn.size > 0) {
    const named = [...drawn].filter(Boolean).slice(0, 5);
    const groups = named.length === 0 ? '' : ` (${named.join(', ')})`;
    found.note(
      `Тест берёт вопросы из банка${groups}: здесь войдут все вопросы банка с их собственными баллами.`,
    );
  }
  if (percents > 0)
    found.note(
      `Сколько баллов за вопрос, в файле не сказано (вопросов: ${percents}): поставлен 1 балл.`,
    );
  return found.done(title);
}

function readAll(bytes: Uint8Array, tools: Tools): Imported {
  const pack = readPackage(bytes);
  if (pack.questions.length === 0)
    throw new UnreadableFile('В этом архиве нет вопросов QTI 1.2. Выберите другой файл.');
  const found = collecting('qti1', tools);
  for (const note of pack.notes) found.note(note);
  const pictures = packagePictures(
    pack.files,
    pack.known,
    found,
    tools,
    pictureLocator(pack.files),
  );
  const reading: Reading = {
    found,
    tools,
    pictures,
    banks: new Set(),
    references: [],
    percents: 0,
  };
  const titles: string[] = [];
  for (const { path, title, shuffle } of pack.questions) {
    if (found.isFull()) break;
    const open = pack.files.get(path);
    if (!open) {
      found.refuse(path, title ?? '', 'Этого файла в пакете нет');
      continue;
    }
    try {
      const { root, note } = readXml(open());
      if (root.name !== 'questestinterop') {
        found.refuse(path, title ?? '', 'Это не вопросы QTI 1.2');
        continue;
      }
      found.note(note);
      const name = path.split('/').at(-1) ?? path;
      const placeOf = (line: number) =>
        pack.questions.length > 1 ? `${name}, строка ${line}` : `строка ${line}`;
      const own = readInto(reading, { root, path, shuffle, placeOf });
      titles.push(title ?? own ?? '');
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      found.refuse(path, title ?? '', error.message);
    }
  }
  found.note(unreadFilesNote(pack));
  const named = titles.filter((title) => title !== '');
  return finish(reading, named.length === 1 ? (named[0] ?? null) : null);
}

function readSingle({ bytes, name }: PickedFile, tools: Tools): Imported {
  const { root, note } = readXml(bytes);
  if (root.name !== 'questestinterop')
    throw new UnreadableFile('В файле нет вопросов QTI 1.2. Выберите другой файл.');
  const found = collecting('qti1', tools);
  found.note(note);
  const pictures = packagePictures(new Map(), new Set(), found, tools, pictureLocator(new Map()));
  const reading: Reading = {
    found,
    tools,
    pictures,
    banks: new Set(),
    references: [],
    percents: 0,
  };
  const placeOf = (line: number) => `строка ${line}`;
  return finish(reading, readInto(reading, { root, path: name, shuffle: false, placeOf }));
}

/**
 * Reads questions of QTI 1.2 (IMS ASI, `questestinterop`): one file, or a package of Canvas, Blackboard and others.
 * @throws {UnreadableFile}
 */
export const readQti1: Reader = (file, tools) =>
  Promise.resolve().then(() =>
    isArchive(file.bytes) ? readAll(file.bytes, tools) : readSingle(file, tools),
  );
