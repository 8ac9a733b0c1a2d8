import { expect, test } from 'vitest';
import { health, PRODUCT } from '#contract/health.ts';
import { createCaller } from '#app/api/request.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { signInMessage } from './sign-in-message.ts';

async function failureOf(reply: Response): Promise<unknown> {
  const call = createCaller({
    baseUrl: 'https://school.example',
    appVersion: '1.2.3',
    fetch: () => Promise.resolve(reply),
  });
  return call(health, {}).catch((cause: unknown) => cause);
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

test.each([
  ['JSON of another shape', json({ status: 'ok', product: PRODUCT })],
  ['an error without our body', json({}, 500)],
  ['a gateway’s page', new Response('<h1>502 Bad Gateway</h1>', { status: 502 })],
  [
    'an error that the server does not know',
    json({ code: 'INTERNAL', message: 'На сервере произошла ошибка', requestId: '1' }, 500),
  ],
])('%s is «Unexpected error occurred» with Russian words beside it', async (_, reply) => {
  const failure = await failureOf(reply);
  for (const message of [describeFailure(failure), signInMessage(failure)])
    expect(message).toMatch(/^Unexpected error occurred\. [А-Я]/);
});

test.each([
  ['a portal', new Response('<h1>Войдите в сеть</h1>', { status: 200 })],
  [
    'a refusal',
    json({ code: 'FORBIDDEN', message: 'Для этого не хватает прав', requestId: '1' }, 403),
  ],
])('%s is known and has Russian words alone', async (_, reply) => {
  const failure = await failureOf(reply);
  for (const message of [describeFailure(failure), signInMessage(failure)])
    expect(message).not.toContain('Unexpected');
});
