/** Version of the API, sent as `X-App-Version`: raised when a client must know of a change. */
export const WIRE_VERSION = 1;

/** Two versions back are supported; an older client gets 426 and keeps its queue. */
export const OLDEST_WIRE_VERSION = Math.max(1, WIRE_VERSION - 2);
