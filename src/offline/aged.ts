import { SAVED_AT_HEADER } from './messages.ts';

/** A reply with its age: null when it came from the server just now, else ISO 8601. */
export interface Aged<T> {
  data: T;
  savedAt: string | null;
}

/** Takes the age that the worker marks kept replies with. */
export const aged = <T>({ reply, headers }: { reply: T; headers: Headers }): Aged<T> => ({
  data: reply,
  savedAt: headers.get(SAVED_AT_HEADER),
});
