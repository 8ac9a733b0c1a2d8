import { SAVED_AT_HEADER } from '#app/offline/messages.ts';

/** A reply with the time it was cached: null if fresh from the server, else ISO 8601. */
export interface Aged<T> {
  data: T;
  savedAt: string | null;
}

/** A single-record reply with the cache time beside its fields. */
export const withAge = <T extends object>({ reply, headers }: { reply: T; headers: Headers }) => ({
  ...reply,
  savedAt: headers.get(SAVED_AT_HEADER),
});

/** Reads the time that the service worker sets on cached replies. */
export const aged = <T>({ reply, headers }: { reply: T; headers: Headers }): Aged<T> => ({
  data: reply,
  savedAt: headers.get(SAVED_AT_HEADER),
});
