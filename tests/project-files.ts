import { zipSync, strToU8 } from 'fflate';
import type { createProject } from '#contract/projects.ts';
import type { CallInput } from '#contract/route.ts';
import { SAMPLES } from './sample-pictures.ts';

const DOCX_PARTS = {
  '[Content_Types].xml': strToU8('<Types/>'),
  'word/document.xml': strToU8('<w:document/>'),
};

/** A compound file of old Office with a single entry, a stream of this name. */
function compoundFile(streamName: string): Buffer {
  const bytes = Buffer.alloc(3 * 512);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  const entry = 2 * 512;
  const name = Buffer.from(`${streamName}\0`, 'utf16le');
  name.copy(bytes, entry);
  bytes.writeUInt16LE(name.length, entry + 64);
  bytes[entry + 66] = 2;
  return bytes;
}

/** Small documents by what they are. */
export const DOCUMENTS = {
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  docx: Buffer.from(zipSync(DOCX_PARTS)),
  docm: Buffer.from(zipSync({ ...DOCX_PARTS, 'word/vbaProject.bin': strToU8('vba') })),
  doc: compoundFile('WordDocument'),
  xls: compoundFile('Workbook'),
  zip: Buffer.from(zipSync({ 'a.txt': strToU8('текст') })),
} as const;

/** A file as a browser sends it. */
export const fileOf = (bytes: Uint8Array, name: string): File =>
  new File([new Uint8Array(bytes)], name);

/** A whole form of a project, with some fields changed. */
export function projectForm(
  changes: {
    body?: Partial<CallInput<typeof createProject>['body']>;
    files?: { LogoPhoto?: Blob; Documentation?: Blob };
  } = {},
): CallInput<typeof createProject> {
  return {
    body: {
      Name: 'Умная теплица',
      ShortDescription: 'Датчики следят за рассадой',
      Description: 'Полив по расписанию и по влажности почвы',
      LandingURL: 'https://project.example/',
      ...changes.body,
    },
    files: {
      LogoPhoto: fileOf(SAMPLES['image/png'], 'логотип.png'),
      Documentation: fileOf(DOCUMENTS.pdf, 'описание.pdf'),
      ...changes.files,
    },
  };
}
