/** The second press of a double press comes within this time, in milliseconds. */
export const DOUBLE_PRESS_MS = 350;
