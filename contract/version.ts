/** Version of the API, sent as `X-App-Version`: raised when a client must know of a change. */
export const WIRE_VERSION = 4;

/** The first that lets a right item be matched with several left ones. */
export const REUSE_WIRE_VERSION = 3;

/** The first that can put items in order. */
export const ORDERING_WIRE_VERSION = 4;

/** The first that shows the text which questions share. */
export const PASSAGE_WIRE_VERSION = 4;

/** Two versions back are supported; an older client gets 426 and keeps its queue. */
export const OLDEST_WIRE_VERSION = Math.max(1, WIRE_VERSION - 2);
