import { SAVED_AT_HEADER } from './messages.ts';

/** A reply with its age: null when it came from the server just now, else ISO 8601. */
export interface Aged<T> {
  data: T;
  savedAt: string | null;
}

/** A reply that is one record, with its age beside its fields. */
export const withAge = <T extends object>({ reply, headers }: { reply: T; headers: Headers }) => ({
  ...reply,
  savedAt: headers.get(SAVED_AT_HEADER),
});

/** Takes the age that the worker marks kept replies with. */
export const aged = <T>({ reply, headers }: { reply: T; headers: Headers }): Aged<T> => ({
  data: reply,
  savedAt: headers.get(SAVED_AT_HEADER),
});
