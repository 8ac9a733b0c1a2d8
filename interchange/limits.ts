/** Limits on files of other systems. A file above a limit is refused with a message and read no further. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
export const MAX_TEXT_BYTES = 20 * 1024 * 1024;
/** Variants of a test for printing. */
export const MAX_PAPER_VARIANTS = 30;
/** Of one archive: files, unpacked bytes of all and of one, compression ratio. */
export const MAX_ARCHIVE_FILES = 5_000;
export const MAX_ARCHIVE_BYTES = 200 * 1024 * 1024;
export const MAX_ARCHIVE_FILE_BYTES = 50 * 1024 * 1024;
export const MAX_ARCHIVE_RATIO = 200;
export const MAX_XML_DEPTH = 100;
export const MAX_XML_NODES = 1_000_000;
export const MAX_PICTURE_SOURCE_BYTES = 20 * 1024 * 1024;
