/** Normalizes a provider's response to the requested stream. */

export const NOT_JSON_MESSAGE =
  'Вместо провайдера ответил кто-то другой, или отвечает он не по протоколу. Скажите администратору сервера: переменная AI_BASE_URL';

/** The same response, with its bytes reported as they arrive. `onBytes` may throw to end it. */
export function countedBytes(response: Response, onBytes: (bytes: number) => void): Response {
  if (!response.body) return response;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onBytes(chunk.byteLength);
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}

interface WholeReply {
  choices?: { message?: { content?: unknown; refusal?: unknown }; finish_reason?: unknown }[];
  error?: unknown;
}

const eventsOf = (text: string, headers: Headers): Response => {
  const renamed = new Headers(headers);
  renamed.set('content-type', 'text/event-stream');
  renamed.delete('content-length');
  renamed.delete('content-encoding');
  return new Response(text, { headers: renamed });
};

/** A valid reply as server-sent events; null: not a provider's reply. */
export async function asEvents(response: Response): Promise<Response | null> {
  const type = response.headers.get('content-type') ?? '';
  if (/^text\/html/i.test(type)) return null;
  if (!/json/i.test(type)) return response;
  const text = await response.text();
  // Events under the wrong content type.
  if (/^\s*(data:|event:|:)/.test(text)) return eventsOf(text, response.headers);
  let whole: WholeReply;
  try {
    whole = JSON.parse(text) as WholeReply;
  } catch {
    return null;
  }
  if (whole.error !== undefined && whole.error !== null) {
    return eventsOf(`data: ${JSON.stringify({ error: whole.error })}\n\n`, response.headers);
  }
  const choice = Array.isArray(whole.choices) ? whole.choices[0] : undefined;
  if (!choice) return null;
  const { message = {}, finish_reason = 'stop' } = choice;
  const chunk = { choices: [{ index: 0, delta: message, finish_reason: finish_reason ?? 'stop' }] };
  return eventsOf(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, response.headers);
}
