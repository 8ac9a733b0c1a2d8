/** Version of the API, sent as `X-App-Version`: raised when a client must know of a change. */
export const WIRE_VERSION = 1;

/** Two versions back are supported. An older client gets 426, and its queue stays on the device. */
export const OLDEST_WIRE_VERSION = Math.max(1, WIRE_VERSION - 2);
