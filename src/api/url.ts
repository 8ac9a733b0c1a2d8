import type { Route } from '#contract/route.ts';

/** Value types of params and queries in the contract. */
type Simple = string | number | boolean | null | undefined;

interface Parts {
  readonly params?: Readonly<Record<string, Simple>>;
  readonly query?: Readonly<Record<string, Simple>>;
  readonly body?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** Builds the path with parameters and query; undefined and null query values are omitted. */
export function urlOf(route: Route, input: unknown): string {
  const { params = {}, query = {} } = input as Parts;
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

interface Body {
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Body and its content type, as the route declares it. */
export function bodyOf(route: Route, input: unknown): Body {
  const { body, bytes } = input as Parts;
  if (route.bodyType === 'bytes') {
    return { headers: { 'content-type': 'application/octet-stream' }, body: bytes };
  }
  if (body === undefined) return { headers: {}, body: undefined };
  return {
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}
