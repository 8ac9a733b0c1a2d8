import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The provider's reply to one call. */
export type Script =
  /** The text as a stream, in chunks; `reason` null: the stream ends without a reason. */
  | { kind: 'stream'; pieces: readonly string[]; reason?: string | null; thoughts?: string }
  /** The same, one byte of the whole reply at a time. */
  | { kind: 'bytes'; text: string }
  /** The chunks, and then nothing: the connection stays open. */
  | { kind: 'hang'; pieces: readonly string[] }
  /** Each further chunk when `next` is called. */
  | { kind: 'stepwise'; pieces: readonly string[] }
  /** The chunks, and then the socket is destroyed. */
  | { kind: 'torn'; pieces: readonly string[] }
  /** The chunks, and then an error as an event. */
  | { kind: 'errorEvent'; pieces: readonly string[]; error: unknown }
  | { kind: 'refusal'; words: string }
  /** No stream although one was requested. */
  | { kind: 'whole'; text: string }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  | { kind: 'html' }
  /** Events that are not JSON. */
  | { kind: 'garbage' }
  | { kind: 'silence' };

/** A call as received by the provider. */
export interface ProviderCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    model: string;
    stream: boolean;
    messages: { role: string; content: string }[];
  };
  /** The caller disconnected before the reply was complete. */
  isLeft: boolean;
}

/** A server with a provider's protocol, and its faults. */
export interface AiProvider {
  /** For AI_BASE_URL. */
  readonly url: string;
  readonly calls: ProviderCall[];
  /** Sets how calls are answered; with several, one after the other, the last one repeatedly. */
  answer(...scripts: Script[]): void;
  /** Continues a stepwise reply by one chunk; false: none waits for it yet. */
  next(): boolean;
  close(): Promise<void>;
}

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chat-1',
    object: 'chat.completion.chunk',
    model: 'school-1',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })}\n\n`;
const DONE = 'data: [DONE]\n\n';

const whole = (text: string) =>
  chunk({ role: 'assistant', content: '' }) + chunk({ content: text }) + chunk({}, 'stop') + DONE;

async function bodyOf(request: IncomingMessage): Promise<ProviderCall['body']> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as ProviderCall['body'];
}

export async function startAiProvider(): Promise<AiProvider> {
  const calls: ProviderCall[] = [];
  let scripts: Script[] = [{ kind: 'silence' }];
  let steps: (() => void)[] = [];

  async function play(script: Script, reply: ServerResponse): Promise<void> {
    const write = (text: string) =>
      new Promise<void>((resolve) => reply.write(text, () => resolve()));
    const begin = () =>
      reply.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const pieces = async (texts: readonly string[]) => {
      begin();
      for (const text of texts) await write(chunk({ content: text }));
    };
    switch (script.kind) {
      case 'stream': {
        begin();
        if (script.thoughts) await write(chunk({ reasoning_content: script.thoughts }));
        for (const text of script.pieces) await write(chunk({ content: text }));
        const { reason = 'stop' } = script;
        reply.end(reason === null ? '' : chunk({}, reason) + DONE);
        return;
      }
      case 'bytes': {
        begin();
        for (const byte of Buffer.from(whole(script.text))) {
          reply.write(Buffer.from([byte]));
          // Each byte is a separate read on the other side, more or less.
          if (byte === 10) await new Promise((resolve) => setImmediate(resolve));
        }
        reply.end();
        return;
      }
      case 'hang':
        return pieces(script.pieces);
      case 'stepwise': {
        begin();
        reply.flushHeaders();
        for (const text of script.pieces) {
          await new Promise<void>((resolve) => steps.push(resolve));
          await write(chunk({ content: text }));
        }
        reply.end(chunk({}, 'stop') + DONE);
        return;
      }
      case 'torn':
        await pieces(script.pieces);
        reply.destroy();
        return;
      case 'errorEvent':
        await pieces(script.pieces);
        reply.end(`data: ${JSON.stringify({ error: script.error })}\n\n`);
        return;
      case 'refusal':
        begin();
        reply.end(chunk({ refusal: script.words }) + chunk({}, 'stop') + DONE);
        return;
      case 'whole':
        reply.writeHead(200, { 'content-type': 'application/json' });
        reply.end(
          JSON.stringify({
            id: 'chat-1',
            object: 'chat.completion',
            choices: [
              {
                index: 0,
                message: { role: 'assistant', content: script.text },
                finish_reason: 'stop',
              },
            ],
          }),
        );
        return;
      case 'status':
        reply.writeHead(script.status, { 'content-type': 'application/json', ...script.headers });
        reply.end(JSON.stringify(script.body ?? { error: { message: 'no', type: 'error' } }));
        return;
      case 'html':
        reply.writeHead(200, { 'content-type': 'text/html' });
        reply.end('<!doctype html><title>Войдите в сеть школы</title>');
        return;
      case 'garbage':
        begin();
        reply.end('data: {"choices":[{"delta"\n\n');
        return;
      case 'silence':
        return;
    }
  }

  const server = createServer((request, reply) => {
    void (async () => {
      const call: ProviderCall = {
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: await bodyOf(request),
        isLeft: false,
      };
      reply.on('close', () => {
        call.isLeft = !reply.writableFinished;
      });
      const [script = { kind: 'silence' as const }, ...later] = scripts;
      if (later.length > 0) scripts = later;
      calls.push(call);
      await play(script, reply);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    answer(...given) {
      scripts = given;
      steps = [];
    },
    next() {
      const step = steps.shift();
      step?.();
      return step !== undefined;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Questions as a good provider writes them, one object a line. */
export const WRITTEN = {
  variant: {
    kind: 'variant',
    text: 'Чему равно ускорение при $F=6$ Н и $m=2$ кг?',
    multiple: false,
    options: [
      { text: '3 м/с²', right: true },
      { text: '12 м/с²', right: false, feedback: 'Сила делится на массу' },
      { text: '4 м/с²', right: false },
    ],
    explanation: 'По второму закону Ньютона $a=F/m$.',
    difficulty: 'easy',
    points: 1,
  },
  open: {
    kind: 'open',
    text: 'Сколько ньютонов составляет вес тела массой 1 кг? ($g=9{,}8$ м/с²)',
    input: 'number',
    accepted: [{ text: '9,8', share: 1 }],
    tolerance: 0.1,
    difficulty: 'medium',
    points: 2,
  },
  compliance: {
    kind: 'compliance',
    text: 'Соотнесите величину и единицу.',
    pairs: [
      { left: 'сила', right: 'ньютон' },
      { left: 'масса', right: 'килограмм' },
      { left: 'работа', right: 'джоуль' },
    ],
    extra: ['ватт'],
    difficulty: 'medium',
    points: 3,
  },
} as const;

export const writtenLine = (question: object): string => `${JSON.stringify(question)}\n`;
