/** Version of the wire, as `X-App-Version` carries it: raised when a client must know of a change. */
export const WIRE_VERSION = 2;

/** The first whose picker keeps to the types that a file question takes. */
export const FILE_TYPES_WIRE_VERSION = 2;

/** Two versions back are served; an older client gets 426 and keeps its queue. */
export const OLDEST_WIRE_VERSION = Math.max(1, WIRE_VERSION - 2);
