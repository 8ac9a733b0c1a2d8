import { isArchive, readArchive, type Archive } from '#interchange/archive.ts';
import { collecting } from '#interchange/collected.ts';
import { importPicture, type PictureImport } from '#interchange/items/pictures.ts';
import { readLines } from '#interchange/marked/read.ts';
import { UnreadableFile, type Reader } from '#interchange/model.ts';
import { readXml, type XmlElement } from '#interchange/xml.ts';
import { DocumentBody } from './body.ts';
import { listsOf } from './numbering.ts';
import { attributeOf, childOf, childrenOf } from './xml-nodes.ts';

const STYLE_NOTE =
  'Жирный шрифт, курсив, подчёркивание и цвет не переносятся: по ним узнаются верные варианты';
const OLD_WORD = [0xd0, 0xcf, 0x11, 0xe0];

function part(archive: Archive, path: string): XmlElement | null {
  const unpack = archive.files.get(path);
  return unpack ? readXml(unpack()).root : null;
}

/** Targets of a document's relations by their ids; only inside the archive. */
function relationsOf(archive: Archive): ReadonlyMap<string, string> {
  const root = part(archive, 'word/_rels/document.xml.rels');
  return new Map(
    childrenOf(root ?? undefined, 'Relationship')
      .filter((relation) => attributeOf(relation, 'TargetMode') !== 'External')
      .map((relation) => {
        const target = attributeOf(relation, 'Target');
        const path = target.startsWith('/') ? target.slice(1) : `word/${target}`;
        return [attributeOf(relation, 'Id'), path];
      }),
  );
}

function styleLists(root: XmlElement | null): Map<string, { list: string; level: number }> {
  const lists = new Map<string, { list: string; level: number }>();
  for (const style of childrenOf(root ?? undefined, 'style')) {
    const numbering = childOf(childOf(style, 'pPr'), 'numPr');
    const list = attributeOf(childOf(numbering, 'numId'), 'val');
    if (list === '') continue;
    const level = Number(attributeOf(childOf(numbering, 'ilvl'), 'val') || 0);
    lists.set(attributeOf(style, 'styleId'), { list, level });
  }
  return lists;
}

/** Reads a Word document in the numbered-list form that teachers use, with its pictures and simple formulas. */
export const readDocx: Reader = async ({ bytes }, tools) => {
  if (OLD_WORD.every((byte, index) => bytes[index] === byte)) {
    throw new UnreadableFile(
      'Это старый документ Word (.doc) или документ с паролем. Откройте его в Word и сохраните как «Документ Word (.docx)» без пароля',
    );
  }
  if (!isArchive(bytes)) {
    throw new UnreadableFile(
      'Файл не читается как документ Word. Откройте его в Word и сохраните как .docx',
    );
  }
  const archive = readArchive(bytes);
  const document = part(archive, 'word/document.xml');
  const body = childOf(document ?? undefined, 'body');
  if (!body) {
    throw new UnreadableFile(
      'В файле нет текста документа Word. Откройте его в Word и сохраните заново как .docx',
    );
  }
  const found = collecting('docx', tools);
  archive.notes.forEach(found.note);
  found.note(STYLE_NOTE);
  const relations = relationsOf(archive);
  const styles = styleLists(part(archive, 'word/styles.xml'));
  const importedByPath = new Map<string, PictureImport>();
  const picture = (relation: string): PictureImport => {
    const path = relations.get(relation);
    if (path === undefined)
      return { loss: 'Картинка лежит не в документе: добавьте её в редакторе' };
    const known = importedByPath.get(path);
    if (known) return known;
    const unpack = archive.files.get(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const made = importPicture(unpack ? unpack() : null, name, tools.newId, found.picture);
    importedByPath.set(path, made);
    return made;
  };
  const settings = part(archive, 'word/settings.xml');
  const separator = attributeOf(childOf(settings ?? undefined, 'listSeparator'), 'val');
  const lines = new DocumentBody({
    lists: listsOf(part(archive, 'word/numbering.xml')),
    styleList: (style) => styles.get(style) ?? null,
    picture,
    listSeparator: separator === '' ? null : separator,
  }).lines(body);
  const title = readLines(lines, tools, found);
  const imported = found.done(title);
  if (imported.items.length === 0 && imported.refused.length === 0) {
    throw new UnreadableFile(
      'Вопросов в документе не нашлось. Пронумеруйте их («1. Текст»), варианты обозначьте буквами («а) …»), а верный выделите жирным или знаком +',
    );
  }
  return imported;
};
