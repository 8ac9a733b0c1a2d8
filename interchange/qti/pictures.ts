import type { Collected } from '#interchange/collected.ts';
import {
  fromBase64,
  importPicture,
  namedFile,
  type PictureImport,
} from '#interchange/items/pictures.ts';
import { UnreadableFile, type Tools } from '#interchange/model.ts';
import { resolvePath, type Package } from './package.ts';

/** The path of a picture in a package by its address in a file; null: not there. */
export type LocatePicture = (from: string, src: string) => string | null;

export interface PackagePictures {
  /** Keys of pictures by their address in a file; an address without a picture is reported. */
  readonly from: (path: string) => (src: string, loss: (line: string) => void) => string | null;
  /** The address of a picture embedded in the text as base64. */
  readonly embed: (base64: string) => string;
}

const EMBEDDED = /^data-inside:(\d+)$/;

/** Pictures of a package, each imported once for any number of items. */
export function packagePictures(
  files: Package['files'],
  known: Set<string>,
  found: Collected,
  tools: Tools,
  locate: LocatePicture = resolvePath,
): PackagePictures {
  const taken = new Map<string, PictureImport>();
  const embedded: string[] = [];
  const once = (name: string, read: () => PictureImport) => {
    const picture = taken.get(name) ?? read();
    taken.set(name, picture);
    return picture;
  };
  const inside = (src: string, index: string) =>
    once(src, () =>
      importPicture(
        fromBase64(embedded[Number(index)] ?? ''),
        'картинка',
        tools.newId,
        found.picture,
      ),
    );
  const inPackage = (from: string, src: string): PictureImport => {
    const path = locate(from, src);
    const open = path === null ? undefined : files.get(path);
    if (path === null) return { loss: `${namedFile(src)} лежит не в файле и не перенесена` };
    if (!open) return { loss: `${namedFile(src, 'genitive')} в файле нет` };
    known.add(path);
    return once(path, () => take(path, open, found, tools));
  };
  return {
    from: (path) => (src, loss) => {
      const index = EMBEDDED.exec(src)?.[1];
      const picture = index === undefined ? inPackage(path, src) : inside(src, index);
      if ('key' in picture) return picture.key;
      loss(picture.loss);
      return null;
    },
    embed: (base64) => {
      embedded.push(base64);
      return `data-inside:${embedded.length - 1}`;
    },
  };
}

function take(path: string, open: () => Uint8Array, found: Collected, tools: Tools): PictureImport {
  try {
    const name = path.split('/').at(-1) ?? path;
    return importPicture(open(), name, tools.newId, found.picture);
  } catch (error) {
    if (error instanceof UnreadableFile) return { loss: error.message };
    throw error;
  }
}
