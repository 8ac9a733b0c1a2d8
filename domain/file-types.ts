/**
 * Extensions with the media types that browsers and systems report for them, the usual ones first: one file
 * type per line. Used only to compare a choice with a picked file; nothing is executed by it.
 */
const KINDS = `jpg jpeg image/jpeg image/jpg
png image/png
webp image/webp
gif image/gif
heic heif image/heic image/heif
avif image/avif
bmp image/bmp
svg image/svg+xml
pdf application/pdf
doc application/msword
docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
xls application/vnd.ms-excel
xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
odt application/vnd.oasis.opendocument.text
ods application/vnd.oasis.opendocument.spreadsheet
csv text/csv application/vnd.ms-excel
txt text/plain
html text/html
py text/x-python text/plain
zip application/zip application/x-zip-compressed
mp3 audio/mpeg
m4a audio/mp4 audio/x-m4a
wav audio/wav
ogg audio/ogg
mp4 video/mp4
mov video/quicktime
webm video/webm audio/webm`
  .split('\n')
  .map((line) => line.split(' '));

/** All names of the first file type with this one, an extension without its dot or a media type; empty: unknown. */
export const namesOfKind = (name: string): readonly string[] =>
  KINDS.find((names) => names.includes(name)) ?? [];

/** Raster pictures: safe for a browser to show, since they cannot contain scripts. */
export const isShownPicture = (type: string): boolean =>
  /^image\/(jpeg|png|webp|gif|avif|bmp)$/.test(type);

/** Generic bytes: no browser shows or runs them. */
export const BYTES_TYPE = 'application/octet-stream';

/** The media type for serving a handed-in file: raster pictures and PDF have their own, any other file is bytes. */
export const servedType = (type = ''): string =>
  isShownPicture(type) || /^(image\/hei[cf]|application\/pdf)$/.test(type) ? type : BYTES_TYPE;
