import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { id, type FakeCall, type FakeServer } from './fake-server.ts';
import type { CallResult, Transport } from './transport.ts';

function failed(parts: Omit<FailureParts, 'method' | 'url'>): { ok: false; failure: ApiFailure } {
  return { ok: false, failure: new ApiFailure({ method: 'POST', url: '/', ...parts }) };
}

type Effect<T> = () => T | ErrorCode | { code: ErrorCode; details: unknown };

/** Delivers calls to the fake server, with its faults; reply facts carry the device's wall clock. */
function createDelivery(server: FakeServer, wall: () => number) {
  const facts = (route: string): ReplyFacts => ({
    route,
    status: 200,
    serverTime: server.world.now,
    serverEpoch: server.epoch,
    activeStream: server.activeStream === '' ? null : server.activeStream,
    sessionExpiresAt: null,
    receivedWall: wall(),
    rttMs: 20,
  });

  function refusal(name: string, code: ErrorCode, details?: unknown, retryAfterMs?: number) {
    const { status, message } = ERRORS[code];
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return failed({
      kind: 'refused',
      status,
      code,
      message,
      details,
      facts: { ...facts(name), status },
      ...wait,
    });
  }

  return async function deliver<T>(call: FakeCall, effect: Effect<T>): Promise<CallResult<T>> {
    server.calls.push(call);
    const fault = await server.fault(call);
    if (fault === 'loseRequest') return failed({ kind: 'unreachable' });
    if (fault === 'timeOut') return failed({ kind: 'unreachable', timedOut: true });
    if (fault === 'html') return failed({ kind: 'notOurs', status: 200 });
    if (typeof fault === 'string' && fault !== 'loseReply') return refusal(call.name, fault);
    if (typeof fault === 'object' && fault !== null) {
      return refusal(call.name, fault.code, fault.details, fault.retryAfterMs);
    }
    const value = effect();
    if (fault === 'loseReply') return failed({ kind: 'unreachable', timedOut: true });
    if (typeof value === 'string') return refusal(call.name, value as ErrorCode);
    if (typeof value === 'object' && value !== null && 'code' in value) {
      return refusal(call.name, value.code, value.details);
    }
    return { ok: true, value: value, facts: facts(call.name) };
  };
}

/** Transport to the fake server. */
export function fakeTransport(server: FakeServer, wall: () => number): Transport {
  const deliver = createDelivery(server, wall);
  const base = { headers: {}, answer: null, offset: 0, length: 0 };
  return {
    start: (token, _testId, headers) =>
      deliver({ ...base, name: 'start', token, headers }, () =>
        headers[HEADER.offer] === undefined
          ? server.start(headers[HEADER.stream] ?? id())
          : server.begin(headers),
      ),
    answer: (token, _attemptId, answer, headers) =>
      deliver({ ...base, name: 'answer', token, headers, answer }, () =>
        server.receive(headers, answer),
      ),
    finish: (token, _attemptId, headers) =>
      deliver({ ...base, name: 'finish', token, headers }, () => server.receive(headers, null)),
    uploadChunk: (token, chunk, headers) => {
      const { fileId, offset, size, bytes } = chunk;
      const call: FakeCall = {
        ...base,
        name: 'uploadChunk',
        token,
        headers,
        offset,
        length: bytes.length,
      };
      return deliver(call, () => server.takeChunk(fileId, offset, size, bytes));
    },
    getUpload: (token, _attemptId, fileId, headers) =>
      deliver({ ...base, name: 'getUpload', token, headers }, () => {
        const upload = server.uploads.get(fileId);
        if (!upload) return 'NOT_FOUND' as const;
        return {
          fileId,
          received: upload.bytes.length,
          size: upload.size,
          complete: upload.complete,
        };
      }),
    savedAnswers: (token, _attemptId, headers) =>
      deliver({ ...base, name: 'savedAnswers', token, headers }, () => server.saved()),
    passing: (token, _attemptId, headers) =>
      deliver({ ...base, name: 'passing', token, headers }, () => server.times()),
    probe: () => deliver({ ...base, name: 'probe', token: '' }, () => ({ status: 'ok' })),
  };
}
