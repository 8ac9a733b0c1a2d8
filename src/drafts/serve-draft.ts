import { vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { SentCopy } from './merge.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { fakeDraftServer } from './testing.ts';

type Fault = 'none' | 'requestLost' | 'replyLost' | 'stale' | 'busy' | 'gone' | 'signedOut';

const STATUS = {
  stale: [409, 'STALE_VERSION'],
  busy: [503, 'UNAVAILABLE'],
  gone: [404, 'NOT_FOUND'],
  signedOut: [401, 'UNAUTHORIZED'],
} as const;

const reply = (status: number, body: unknown) =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

/** Stubs `fetch` with the server of one working copy. `faults` is a queue, one a call. */
export function serveDraft(questions: Question[]) {
  const server = fakeDraftServer(questions);
  const client = server.client('там');
  const faults: Fault[] = [];
  const calls: string[] = [];
  const bodies: unknown[] = [];
  async function answer(call: string, body: unknown): Promise<unknown> {
    if (call === 'GET draft') return client.get();
    if (call === 'GET draft/version') return client.version();
    if (call === 'PUT draft') return client.save(body as SentCopy & { draftVersion: number });
    const { draftVersion } = body as { draftVersion: number };
    if (call === 'POST draft/publish') await client.publish(draftVersion);
    else await client.discard(draftVersion);
    const { updatedAt } = await client.version();
    return { draftVersion: server.state.draftVersion, updatedAt, version: 1 };
  }
  vi.stubGlobal('fetch', async (input: string | Request, options?: RequestInit) => {
    const request = input instanceof Request ? input : null;
    const url = typeof input === 'string' ? input : input.url;
    const method = request?.method ?? options?.method ?? 'GET';
    const call = `${method} ${url.replace(/^.*\/(?=draft)/, '')}`;
    calls.push(call);
    const text = request ? await request.text() : options?.body;
    const body: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;
    if (body !== undefined) bodies.push(body);
    const met = faults.shift() ?? 'none';
    if (met === 'requestLost') throw new TypeError('Failed to fetch');
    if (met !== 'none' && met !== 'replyLost') {
      const [status, code] = STATUS[met];
      return reply(status, { code, message: 'Нельзя', requestId: 'r1' });
    }
    try {
      const found = await answer(call, body);
      if (met === 'replyLost') throw new TypeError('Failed to fetch');
      return reply(200, found);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { status = 400, code = 'VALIDATION' } = error;
      return reply(status, { code, message: 'Нельзя', requestId: 'r1' });
    }
  });
  return { ...server, faults, calls, bodies };
}
