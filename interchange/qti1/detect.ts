import { UnreadableFile } from '#interchange/model.ts';

/** Whether a text begins like QTI 1. */
const isInterop = (text: string): boolean =>
  /<(?:[\w.-]+:)?questestinterop[\s>/]/.test(text.slice(0, 4000));

/** Whether a manifest lists questions of QTI 1 and none of a later version. */
export const isInteropManifest = (text: string): boolean =>
  /type\s*=\s*["'](?:imsqti\w*_xmlv1p[012]|ims_qtiasiv1p|assessment\/x-bb-qti-)/i.test(text) &&
  !/type\s*=\s*["']imsqti\w*_xmlv[23]p/i.test(text);

const HEAD_BYTES = 4000;
const headOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));

/** Archives contain more files than questions; this many are searched if no manifest names them. */
const MAX_INSPECTED = 500;

/** The files of an archive that are QTI 1 by their content, in order. */
export function interopFiles(files: ReadonlyMap<string, () => Uint8Array>): readonly string[] {
  const found: string[] = [];
  const candidates = [...files].filter(
    ([path]) => /\.(?:xml|dat|qti)$/i.test(path) && !path.includes('__MACOSX'),
  );
  for (const [path, open] of candidates.slice(0, MAX_INSPECTED)) {
    try {
      if (isInterop(headOf(open()))) found.push(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
    }
  }
  return found.sort((a, b) => a.localeCompare(b, 'ru', { numeric: true }));
}
