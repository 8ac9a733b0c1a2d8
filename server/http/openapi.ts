import { toJsonSchema } from '@valibot/to-json-schema';
import { COMMON_ERRORS, ERRORS, ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { Route, Schema } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { formatSize } from '#domain/format.ts';

type Json = Record<string, unknown>;

/** JSON Schema of the input side. Values that a schema transforms the input to are not on the wire. */
function jsonSchema(schema: Schema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
  });
  return rest;
}

function parameters(where: 'path' | 'query' | 'header', schema: Schema | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, type]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: type,
  }));
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const ACCESS_LABELS: Readonly<Record<Route['access'], string>> = {
  anyone: 'Доступно всем.',
  signedIn: 'Для вошедших.',
  teacher: 'Для преподавателей и администраторов.',
  admin: 'Для администраторов.',
};

function refusals(route: Route): Json {
  const codes = [
    ...COMMON_ERRORS,
    ...(route.access === 'anyone' ? [] : (['UNAUTHORIZED', 'ACCOUNT_BLOCKED'] as const)),
    ...(route.access === 'teacher' || route.access === 'admin' ? (['FORBIDDEN'] as const) : []),
    ...(route.errors ?? []).filter(isErrorCode),
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes))
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      `${status}`,
      {
        description: those.map((code) => `\`${code}\` ${ERRORS[code].message}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

/** Text fields and files of a form in one schema. */
function formSchema({ files = {} }: Route, body: Schema): Json {
  const fields = jsonSchema(body);
  const fileFields = Object.entries(files).map(([name, most]) => [
    name,
    { type: 'string', format: 'binary', description: `Не больше ${formatSize(most)}` },
  ]);
  return {
    ...fields,
    properties: { ...(fields['properties'] as Json), ...Object.fromEntries(fileFields) },
  };
}

function replyContent(route: Route): Json {
  if (route.replyType === 'bytes')
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return {
    [route.streams ? 'text/event-stream' : 'application/json']: { schema: jsonSchema(route.reply) },
  };
}

function requestBody(route: Route): Json {
  const { bodyType, body } = route;
  const required = (type: string, schema: Json) => ({
    requestBody: { required: true, content: { [type]: { schema } } },
  });
  if (bodyType === 'bytes')
    return required('application/octet-stream', { type: 'string', format: 'binary' });
  if (!body) return {};
  return bodyType === 'form'
    ? required('multipart/form-data', formSchema(route, body))
    : required('application/json', jsonSchema(body));
}

const tagOf = (path: string) => /^\/api\/([^/]+)/.exec(path)?.[1] ?? 'service';

function operation(route: Route): Json {
  const header = (name: string) => ({ schema: { type: 'string' }, description: name });
  return {
    operationId: route.name,
    summary: route.summary,
    description: ACCESS_LABELS[route.access],
    tags: [tagOf(route.path)],
    security: route.access === 'anyone' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...parameters('header', route.headers),
      ...(route.path.startsWith('/api/') ? [{ $ref: '#/components/parameters/AppVersion' }] : []),
    ],
    ...requestBody(route),
    responses: {
      200: {
        description: 'OK',
        headers: {
          'X-Server-Time': header('Время сервера, ISO 8601'),
          'X-Server-Epoch': header('Растёт, когда восстановлена резервная копия'),
          ...(route.access !== 'anyone' && {
            'X-Session-Expires-At': header('Когда вход закончится, если им больше не пользоваться'),
          }),
          'X-Request-Id': header('Номер запроса в журнале сервера'),
        },
        content: replyContent(route),
      },
      ...refusals(route),
    },
  };
}

/** The whole API as an OpenAPI 3.1 document. */
export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const methods = (paths[route.path] ??= {});
    methods[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Учебная платформа: вызовы сервера',
      version,
      description:
        'Списки отвечают `{items, total}`, ошибки — `{code, message, details?, requestId}`. Порядок сдачи ответов описан в docs/protocol.md.',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: {
        AppVersion: {
          name: HEADER.appVersion,
          in: 'header',
          required: false,
          description: 'Версия обмена, целое число; слишком старая получает 426',
          schema: { type: 'integer', minimum: 1 },
        },
      },
      schemas: { Error: jsonSchema(ErrorBody) },
    },
  };
}
