/** Limits on files of other systems. A file above a limit is refused with a message and read no further. */
export const FILE_BYTES_MOST = 50 * 1024 * 1024;
export const TEXT_BYTES_MOST = 20 * 1024 * 1024;
/** Variants of a test for printing. */
export const PAPER_VARIANTS_MOST = 30;
/** Of one archive: files, unpacked bytes of all and of one, compression ratio. */
export const ARCHIVE_FILES_MOST = 5_000;
export const ARCHIVE_BYTES_MOST = 200 * 1024 * 1024;
export const ARCHIVE_FILE_BYTES_MOST = 50 * 1024 * 1024;
export const ARCHIVE_RATIO_MOST = 200;
export const XML_DEPTH_MOST = 100;
export const XML_NODES_MOST = 1_000_000;
export const PICTURE_SOURCE_BYTES_MOST = 20 * 1024 * 1024;
