import type * as OpenAiLibrary from 'openai';
import type { AiSettings } from '#server/deps.ts';
import { failureOf, ProviderFailure, REFUSED_MESSAGE, UNREACHABLE_MESSAGE } from './failure.ts';
import type { Message } from './prompt.ts';
import { asEvents, countedBytes, NOT_JSON_MESSAGE } from './reply.ts';

/** What a provider emits while it writes. */
export type ReplyPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** Its reasoning before the answer; characters. */
  | { readonly kind: 'thought'; readonly characters: number }
  /** `cut`: by its own limit, or the connection broke. */
  | { readonly kind: 'end'; readonly cut: boolean };

/** Maximum bytes of one reply, reasoning included. */
const REPLY_BYTES = 8 * 1024 * 1024;

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Monitors one call: timeouts and size. */
function createLine(settings: AiSettings, signal: AbortSignal) {
  const abort = new AbortController();
  let failure: ProviderFailure | null = null;
  const fail = (given: ProviderFailure): ProviderFailure => {
    failure ??= given;
    abort.abort();
    return given;
  };
  const seconds = Math.ceil(settings.timeoutMs / 1_000);
  const onSilence = () =>
    void fail(
      new ProviderFailure(
        'timeout',
        `Провайдер молчит уже ${seconds} с. Повторите; если не поможет, попросите меньше вопросов за раз`,
      ),
    );
  let timer = setTimeout(onSilence, settings.timeoutMs);
  const leave = () => abort.abort();
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  let bytes = 0;
  const countChunk = (count: number) => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, settings.timeoutMs);
    bytes += count;
    if (bytes > REPLY_BYTES) {
      throw fail(new ProviderFailure('badReply', 'Провайдер пишет без конца. Повторите'));
    }
  };

  const send: Fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (settings.apiKey === null) headers.delete('authorization');
    // Followed, a redirect would take the teacher's text to a host that nobody has chosen.
    const response = await fetch(input, { ...init, headers, redirect: 'manual' });
    countChunk(0);
    const counted = countedBytes(response, countChunk);
    if (!counted.ok) return counted;
    const events = await asEvents(counted);
    if (events) return events;
    throw fail(new ProviderFailure('badReply', NOT_JSON_MESSAGE));
  };
  return {
    signal: abort.signal,
    send,
    failure: () => failure,
    close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      abort.abort();
    },
  };
}

/** Yields items until the signal: an aborted body may never end its reader. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  for (;;) {
    const coming = iterator.next();
    coming.catch(() => undefined);
    const next = await Promise.race([coming, aborted]);
    if (next === null || next.done === true) return;
    yield next.value;
  }
}

type Library = typeof OpenAiLibrary;

const createProviderClient = ({ default: OpenAI }: Library, settings: AiSettings, send: Fetch) =>
  new OpenAI({
    baseURL: settings.baseUrl,
    // The header is removed when there is no key.
    apiKey: settings.apiKey ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    // A rate limit is reported with its time; nothing is retried without the teacher.
    maxRetries: 0,
    timeout: settings.timeoutMs,
    logLevel: 'off',
    fetch: send,
  });

/** The failure that an error of the library means. */
function providerFailure(
  { APIError, APIConnectionError }: Library,
  error: unknown,
): ProviderFailure {
  if (error instanceof APIConnectionError) {
    return new ProviderFailure('unreachable', UNREACHABLE_MESSAGE);
  }
  if (error instanceof SyntaxError) return new ProviderFailure('badReply', NOT_JSON_MESSAGE);
  if (!(error instanceof APIError)) return new ProviderFailure('unreachable', UNREACHABLE_MESSAGE);
  const { status, code, type, headers } = error as {
    status: number | undefined;
    code: unknown;
    type: unknown;
    headers: Headers | undefined;
  };
  return failureOf(
    {
      status,
      code: `${wordsOf(code)} ${wordsOf(type)}`.trim(),
      said: error.message,
      retryAfter: headers?.get('retry-after') ?? null,
    },
    Date.now(),
  );
}

/**
 * Calls the provider and yields its output as it arrives. Ends silently once `signal` is aborted.
 * @throws {ProviderFailure} and nothing else
 */
export async function* askProvider(
  settings: AiSettings,
  messages: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<ReplyPiece> {
  // A server without a provider never loads the client.
  const library = await import('openai');
  const line = createLine(settings, signal);
  let hasSpoken = false;
  let reason: string | null = null;
  try {
    const client = createProviderClient(library, settings, line.send);
    const stream = await client.chat.completions.create(
      { model: settings.model, messages: [...messages], stream: true },
      { signal: line.signal },
    );
    for await (const chunk of untilAborted(stream, line.signal)) {
      const choice = chunk.choices?.[0];
      if (!choice) continue;
      const delta: { content?: unknown; refusal?: unknown; reasoning_content?: unknown } =
        choice.delta ?? {};
      const text = wordsOf(delta.content);
      if (text !== '') {
        hasSpoken = true;
        yield { kind: 'text', text };
      }
      const thought = wordsOf(delta.reasoning_content);
      if (thought !== '') yield { kind: 'thought', characters: thought.length };
      reason = choice.finish_reason ?? reason;
      if (wordsOf(delta.refusal) !== '' || reason === 'content_filter') {
        throw new ProviderFailure('refused', REFUSED_MESSAGE);
      }
    }
    const failure = line.failure();
    if (failure) throw failure;
    if (!signal.aborted) yield { kind: 'end', cut: reason === null || reason === 'length' };
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ProviderFailure) throw error;
    const known = line.failure();
    if (known) throw known;
    // The connection broke: received text is retained, and the cut is reported.
    const isRefused =
      error instanceof library.APIError && !(error instanceof library.APIConnectionError);
    if (hasSpoken && !isRefused) {
      yield { kind: 'end', cut: true };
      return;
    }
    throw providerFailure(library, error);
  } finally {
    line.close();
  }
}
