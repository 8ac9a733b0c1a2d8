import { readArchive } from '#interchange/archive.ts';
import { UnreadableFile } from '#interchange/model.ts';
import { resolvePath } from '#interchange/qti/package.ts';
import { everyElement, readXml, type XmlElement } from '#interchange/xml.ts';
import { interopFiles } from './detect.ts';
import { readQuizMeta } from './sections.ts';

/** A file of questions in a package. */
export interface PackageFile {
  readonly path: string;
  readonly title: string | null;
  readonly shuffle: boolean;
}

export interface Qti1Package {
  readonly files: ReadonlyMap<string, () => Uint8Array>;
  readonly known: Set<string>;
  readonly questions: readonly PackageFile[];
  readonly notes: readonly string[];
}

/** Types of resources with questions: IMS packages and Common Cartridge, Blackboard. */
const QUESTIONS =
  /^(?:imsqti(?:_item|_test)?_xmlv1p|ims_qtiasiv1p|assessment\/x-bb-qti-(?:test|pool|survey))/i;

function listedFiles(manifest: XmlElement, at: string): readonly string[] {
  return [...everyElement(manifest)]
    .filter(
      ({ name, attributes }) =>
        name === 'resource' && QUESTIONS.test(attributes.get('type')?.trim() ?? ''),
    )
    .flatMap((resource) => {
      const file = [...everyElement(resource)].find(({ name }) => name === 'file');
      const href =
        resource.attributes.get('href') ??
        resource.attributes.get('bb:file') ??
        file?.attributes.get('href');
      const path = href === undefined ? null : resolvePath(at, href);
      return path === null || path === '' ? [] : [path];
    });
}

/**
 * Canvas writes a quiz twice: for other systems without the features that Common Cartridge lacks, and complete for
 * itself, together with its item banks.
 */
function wholeFiles(listed: readonly string[], files: Qti1Package['files']): readonly string[] {
  const whole = [...files.keys()].filter((path) =>
    /(?:^|\/)non_cc_assessments\/[^/]+\.qti$/i.test(path),
  );
  const replaced = listed.map((path) => {
    const ident = path.split('/').at(-2);
    return whole.find((one) => one.endsWith(`non_cc_assessments/${ident}.xml.qti`)) ?? path;
  });
  return [...new Set([...replaced, ...whole])];
}

/**
 * Reads a package's data about its tests.
 * @throws {UnreadableFile} a broken archive or manifest
 */
export function readPackage(bytes: Uint8Array): Qti1Package {
  const { files, notes } = readArchive(bytes);
  const known = new Set<string>();
  const manifestPath = [...files.keys()]
    .filter((path) => /(?:^|\/)imsmanifest\.xml$/i.test(path))
    .sort((a, b) => a.length - b.length)[0];
  const manifest = manifestPath === undefined ? undefined : files.get(manifestPath);
  let paths: readonly string[] = [];
  if (manifestPath !== undefined && manifest) {
    known.add(manifestPath);
    paths = wholeFiles(listedFiles(readXml(manifest()).root, manifestPath), files);
    for (const path of listedFiles(readXml(manifest()).root, manifestPath)) known.add(path);
  }
  if (paths.length === 0) paths = interopFiles(files);
  const more: string[] = [];
  const questions = paths.map((path): PackageFile => {
    known.add(path);
    const meta = quizMeta(path, files, known);
    if (meta?.hasDescription) more.push(`Описание теста «${meta.title ?? path}» не переносится.`);
    return { path, title: meta?.title ?? null, shuffle: meta?.shuffle ?? false };
  });
  return { files, known, questions, notes: [...notes, ...more] };
}

function quizMeta(path: string, files: Qti1Package['files'], known: Set<string>) {
  const folder = path
    .replace(/non_cc_assessments\/([^/]+)\.xml\.qti$/i, '$1/')
    .replace(/[^/]*$/, '');
  const at = `${folder}assessment_meta.xml`;
  const open = files.get(at);
  if (!open) return null;
  known.add(at);
  try {
    return readQuizMeta(readXml(open()).root);
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * Finds pictures by the exporters' addresses: Canvas uses a folder of the course (`$IMS-CC-FILEBASE$`), Blackboard the
 * number of a file (`xid-12_1`) or its own placeholder, others a path in the package.
 */
export function pictureLocator(
  files: Qti1Package['files'],
): (from: string, src: string) => string | null {
  const paths = [...files.keys()];
  return (from, src) => {
    const number = /xid-\d+_\d+/.exec(src)?.[0];
    if (number !== undefined)
      return (
        paths.find((path) => new RegExp(`${number}(?!\\d)`).test(path) && !path.endsWith('.xml')) ??
        src
      );
    const base = /^(?:\$|%24)IMS[-_]CC[-_]FILE[-_]?BASE(?:\$|%24)\/*(.*)$/i.exec(src);
    const own = /^@X@[\w.]+@X@\/*(.*)$/.exec(src);
    const rest = base?.[1] ?? own?.[1];
    const direct = resolvePath(from, rest ?? src);
    if (rest === undefined && direct === null) return null;
    const name = decoded((rest ?? src).replace(/[?#].*$/, '')).replace(/^(?:\.{0,2}\/)+/, '');
    const exact = [`web_resources/${name}`, name, direct].find(
      (path) => path !== null && files.has(path),
    );
    if (exact !== undefined) return exact;
    const ending = paths.filter((path) => path.endsWith(`/${name}`));
    return ending.length === 1 ? (ending[0] ?? null) : (direct ?? src);
  };
}
