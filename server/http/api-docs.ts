import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { openApi } from './openapi.ts';

/** `GET /api/openapi.json`, and the same to read at `/api/docs`. */
export async function registerApiDocs(app: FastifyInstance, deps: Deps): Promise<void> {
  const document = openApi(deps.settings.version);
  app.get('/api/openapi.json', async () => document);
  const specification = { document } as unknown as StaticDocumentSpec;
  await app.register(swagger, { mode: 'static', specification });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'Вызовы сервера' },
    uiConfig: { docExpansion: 'list', validatorUrl: null },
  });
}
