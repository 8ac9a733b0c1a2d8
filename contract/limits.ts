/** Limits of the wire. Bytes, characters or counts, as named. */
export const JSON_BODY_BYTES = 256 * 1024;
/** A whole test with its questions. */
export const TEST_BODY_BYTES = 4 * 1024 * 1024;
export const ANSWER_TEXT_CHARACTERS = 20_000;
/** A name as typed or pasted, before blanks and invisible characters are removed. */
export const TYPED_NAME_CHARACTERS = 1_000;
/** Combining marks on one letter of a name; no writing system needs more. */
export const MARKS_ON_A_LETTER = 4;
export const PARTS_PER_QUESTION = 100;
/** A word or a number typed into a gap of a text. */
export const GAP_TEXT_CHARACTERS = 500;
export const FILE_BYTES = 10 * 1024 * 1024;
/** Maximum number of files for one question. */
export const MAX_FILES_PER_QUESTION = 10;
export const FILE_CHUNK_BYTES = 256 * 1024;
/** Files of one attempt beyond the first of each question: their number and bytes. */
export const REPLACED_FILES_PER_ATTEMPT = 100;
export const REPLACED_FILE_BYTES_PER_ATTEMPT = 500 * 1024 * 1024;
/** Files that one person hands in within a day, over all attempts. */
export const FILES_PER_DAY = 500;
export const FILE_BYTES_PER_DAY = 2 * 1024 * 1024 * 1024;
/**
 * Versions of answers that the journal of one attempt accepts, and their bytes. Ten hours of typing with a
 * pause each second come to 36,000; 100,000 typed characters, saved after each word, to 400 MB.
 */
export const ANSWERS_PER_ATTEMPT = 50_000;
export const ANSWER_BYTES_PER_ATTEMPT = 512 * 1024 * 1024;
/** Bytes of answers of one account in a minute; above it the server answers 429 with Retry-After. */
export const ANSWER_BYTES_PER_MINUTE = 8 * 1024 * 1024;
/** The same for answers with a receipt, which a restored server gets again as fast as the calls' limit lets them. */
export const REPEATED_ANSWER_BYTES_PER_MINUTE = 5 * ANSWER_BYTES_PER_MINUTE;
/** Operations of one person that are stored for attempts unknown to a restored database. */
export const STRAY_OPERATIONS_PER_PERSON = 2_000;
/** Types of files that one question may choose. */
export const FILE_TYPES_PER_QUESTION = 20;
export const FILE_NAME_CHARACTERS = 300;
export const GAP_LIST_NUMBERS = 5_000;
/** Calls of one signed-in account in a minute; above it the server answers 429 with Retry-After. */
export const CALLS_PER_MINUTE = 1_800;
/** Default time limit of a call, milliseconds (specification, section 9). */
export const HTTP_TIMEOUT_MS = 5_000;
/**
 * A transfer that takes longer than a call (a form with files, a download, a stream of events) ends after this silence.
 */
export const TRANSFER_SILENCE_MS = 15_000;
export const MAX_PAGE_SIZE = 100;
/** Questions of one attempt: alternatives count as one. */
export const QUESTIONS_PER_TEST = 300;
/** Rows of a test's questions, alternatives included. */
export const QUESTION_ROWS_PER_TEST = 1_000;
/** A picture of a question, as stored. */
export const PICTURE_BYTES = 2 * 1024 * 1024;
/** A recording that a text plays: eight minutes of an MP3 at 128 kbit/s. */
export const RECORDING_BYTES = 8 * 1024 * 1024;
/** Maximum number of questions read from one file of another system. */
export const QUESTIONS_PER_FILE = 10_000;
export const QUESTION_TITLE_CHARACTERS = 200;
export const TAGS_PER_QUESTION = 20;
export const TAG_CHARACTERS = 50;
/** Maximum length of the text that a provider of drafts gets. */
export const AI_SOURCE_CHARACTERS = 60_000;
export const AI_BODY_BYTES = 1024 * 1024;
export const MAX_AI_QUESTIONS = 30;
export const MAX_BANK_PICK = 100;
export const TEMPLATES_PER_TEACHER = 500;
/** Templates of one teacher as JSON, which one reply lists. */
export const TEMPLATE_BYTES_PER_TEACHER = 4 * 1024 * 1024;
export const EXPRESSION_CHARACTERS = 500;
export const MAX_GROUP_MEMBERS = 500;
/** A project's logo. */
export const LOGO_BYTES = 2 * 1024 * 1024;
/** A project's documentation. */
export const DOCUMENTATION_BYTES = 10 * 1024 * 1024;
export const PROJECTS_PER_PERSON = 100;
/** Rows of one call of an import: few enough to hash their passwords within the time-out. */
export const IMPORT_BATCH_ROWS = 25;
export const MAX_IMPORT_ROWS = 5_000;
/** Acts in one export of the log. */
export const AUDIT_EXPORT_ROWS = 100_000;
/** The name of the format of a file of answers that a device could not send. */
export const RESCUE_FORMAT = 'exam-room-answers';
/** The name of the format of an encrypted file of answers (ADR 17). */
export const HANDOVER_FORMAT = 'exam-room-handover';
/** The name of the format of a file with the receipts of a handover. */
export const RECEIPTS_FORMAT = 'exam-room-receipts';
