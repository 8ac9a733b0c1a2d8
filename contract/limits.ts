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
/** What one attempt is asked: alternatives count as one. */
export const QUESTIONS_PER_TEST = 300;
/** Rows of a test's questions, alternatives included. */
export const QUESTION_ROWS_PER_TEST = 1_000;
/** A picture of a question, as it is kept. */
export const PICTURE_BYTES = 2 * 1024 * 1024;
export const QUESTION_TITLE_CHARACTERS = 200;
export const TAGS_PER_QUESTION = 20;
export const TAG_CHARACTERS = 50;
/** What a provider of drafts is given to read. */
export const AI_SOURCE_CHARACTERS = 60_000;
export const AI_BODY_BYTES = 1024 * 1024;
export const AI_QUESTIONS_MOST = 30;
export const BANK_PICK_MOST = 100;
export const TEMPLATES_PER_TEACHER = 500;
export const EXPRESSION_CHARACTERS = 500;
export const GROUP_MEMBERS_MOST = 500;
/** A project's logo. */
export const LOGO_BYTES = 2 * 1024 * 1024;
/** A project's documentation. */
export const DOCUMENTATION_BYTES = 10 * 1024 * 1024;
export const PROJECTS_PER_PERSON = 100;
/** Rows of one call of an import, few enough for its passwords to be hashed within the time-out. */
export const IMPORT_BATCH_ROWS = 25;
export const IMPORT_ROWS_MOST = 5_000;
/** Names the format of a file of answers that a device could not send. */
export const RESCUE_FORMAT = 'exam-room-answers';
