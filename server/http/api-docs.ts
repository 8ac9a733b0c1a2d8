import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { requireFactor, requireRole } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { openApi } from './openapi.ts';

/** `GET /api/openapi.json` and its rendering at `/api/docs`, for administrators unless opened to everybody. */
export async function registerApiDocs(app: FastifyInstance, deps: Deps): Promise<void> {
  const document = openApi(deps.settings.version);
  app.get('/api/openapi.json', async () => document);
  const specification = { document } as unknown as StaticDocumentSpec;
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (request) => {
      if (deps.settings.apiDocs === 'open') return;
      const now = deps.clock();
      const caller = await docs.authenticate(request.headers.authorization, now);
      docs.countCall(caller.userId, now.getTime());
      requireRole(caller, 'admin');
      requireFactor(caller, { ownership: 'none' }, now);
    });
    await docs.register(swagger, { mode: 'static', specification });
    await docs.register(swaggerUi, {
      routePrefix: '/api/docs',
      theme: { title: 'Вызовы сервера' },
      uiConfig: { docExpansion: 'list', validatorUrl: null },
    });
  });
}
