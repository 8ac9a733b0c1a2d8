/** Version of the API, sent as `X-App-Version`: raised when a client must know of a change. */
export const WIRE_VERSION = 5;

/** The first that can put items in order. */
export const ORDERING_WIRE_VERSION = 4;

/** The first that shows the text which questions share. */
export const PASSAGE_WIRE_VERSION = 4;

/** The first that can fill in the gaps of a text. */
export const GAPS_WIRE_VERSION = 5;

/** The first that shows areas of a picture to choose from. */
export const AREAS_WIRE_VERSION = 5;

/** The first that knows templates of gaps and of orderings. */
export const TEMPLATE_KINDS_WIRE_VERSION = 5;

/** The first that plays a recording in a text. */
export const RECORDING_WIRE_VERSION = 5;

/** The first that hands in several files for one question. */
export const SEVERAL_FILES_WIRE_VERSION = 5;

/** The first that shows the transcript of a recording. */
export const TRANSCRIPT_WIRE_VERSION = 5;

/** Two versions back are supported; an older client gets 426 and keeps its queue. */
export const OLDEST_WIRE_VERSION = Math.max(1, WIRE_VERSION - 2);
