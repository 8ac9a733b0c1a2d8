const ORIGIN = 'https://origin.invalid';
const LONGEST = 2_000;
const PUBLIC_ONLY = ['/login', '/registration'];

// Control characters, which browsers drop from addresses before they read them.
const hasControl = (text: string) =>
  Array.from(text, (character) => character.charCodeAt(0)).some(
    (code) => code < 32 || code === 127,
  );

/**
 * Where to go after signing in: a path of this origin, or null when the value leads anywhere else
 * (another host, a scheme, a backslash, control characters) or back to the sign-in screens.
 */
export function safeRedirectPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  if (!value.startsWith('/') || value.includes('\\') || hasControl(value)) return null;
  let url: URL;
  try {
    url = new URL(value, ORIGIN);
  } catch {
    return null;
  }
  // A path such as `/..//host` is normalised to `//host`.
  if (url.origin !== ORIGIN || url.pathname.startsWith('//')) return null;
  if (PUBLIC_ONLY.includes(url.pathname.replace(/\/+$/, ''))) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/**
 * Validates the search of the sign-in screens. An unacceptable redirect is set to undefined, since the router passes on
 * keys that validation omits.
 */
export function redirectSearch(search: Record<string, unknown>): {
  redirect_path?: string | undefined;
} {
  return { redirect_path: safeRedirectPath(search['redirect_path']) ?? undefined };
}
