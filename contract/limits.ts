/** Limits of the wire. Bytes, characters or counts, as named. */
export const JSON_BODY_BYTES = 256 * 1024;
/** A whole test with its questions. */
export const TEST_BODY_BYTES = 4 * 1024 * 1024;
export const ANSWER_TEXT_CHARACTERS = 20_000;
export const PARTS_PER_QUESTION = 100;
export const FILE_BYTES = 10 * 1024 * 1024;
export const FILE_CHUNK_BYTES = 256 * 1024;
export const FILES_PER_ATTEMPT = 200;
export const FILE_NAME_CHARACTERS = 300;
export const GAP_LIST_NUMBERS = 5_000;
/** Calls of one signed-in account in a minute; above it the server answers 429 with Retry-After. */
export const CALLS_PER_MINUTE = 1_800;
/** HTTP time-out of every call, milliseconds (specification, section 9). */
export const HTTP_TIMEOUT_MS = 5_000;
export const PAGE_SIZE_MOST = 100;
export const QUESTIONS_PER_TEST = 300;
export const GROUP_MEMBERS_MOST = 500;
