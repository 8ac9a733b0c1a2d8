import { HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';

/** The reply; `body` is the JSON, typed as a successful reply. */
export interface LiveReply<T> {
  readonly status: number;
  readonly body: T;
  readonly retryAfter: string | null;
}

/** Calls a route without a query at a running server, with the app's own time-out. Throws when no reply arrived. */
export async function liveCall<R extends Route>(
  base: string,
  route: R,
  input: CallInput<R>,
  { token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): Promise<LiveReply<ReplyOf<R>>> {
  const { params = {}, body } = input as { params?: Record<string, string>; body?: unknown };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const response = await fetch(`${base}${path}`, {
    method: route.method,
    headers: {
      // An idle connection may be closed by the server at the very moment it is used again.
      connection: 'close',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
  });
  const parsed: unknown = await response.json();
  return {
    status: response.status,
    body: parsed as ReplyOf<R>,
    retryAfter: response.headers.get('retry-after'),
  };
}
