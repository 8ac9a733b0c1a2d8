import { createServer, type Server } from 'node:http';

const page = (appUrl: string) => `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Доверие к серверу</title>
<style>
body { font: 17px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 20px; max-width: 34rem; color: #1b1d29; background: #f1f2f5; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 1.6rem; }
a.button { display: block; padding: 14px; margin: 12px 0; border-radius: 10px; text-align: center; background: #3b49df; color: #fff; text-decoration: none; }
a.plain { color: #3b49df; }
li { margin: 4px 0; }
</style>
</head>
<body>
<h1>Как открыть платформу на этом устройстве</h1>
<p>Без сети тесты работают только через защищённое соединение. Один раз установите сертификат этого сервера.</p>
<a class="button" href="/ca.crt">1. Скачать сертификат</a>
<h2>Android</h2>
<ol>
<li>Откройте «Настройки» и найдите «Сертификат ЦС» (обычно «Безопасность» → «Шифрование и учётные данные» → «Установка сертификата»).</li>
<li>Выберите «Сертификат ЦС», согласитесь и укажите скачанный файл ca.crt.</li>
</ol>
<h2>iPhone и iPad</h2>
<ol>
<li>Откройте эту страницу в Safari, скачайте сертификат и разрешите загрузку профиля.</li>
<li>«Настройки» → «Профиль загружен» → «Установить».</li>
<li>«Настройки» → «Основные» → «Об этом устройстве» → «Доверие сертификатам»: включите сертификат.</li>
</ol>
<h2>Windows</h2>
<ol>
<li>Откройте скачанный файл и нажмите «Установить сертификат».</li>
<li>Выберите «Поместить все сертификаты в следующее хранилище» → «Доверенные корневые центры сертификации».</li>
<li>Перезапустите браузер.</li>
</ol>
<a class="button" href="${appUrl}">2. Открыть платформу</a>
<p>Сертификат сделан на этом компьютере и действует только здесь. Когда он станет не нужен, удалите его в тех же настройках.</p>
</body>
</html>
`;

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Host of the request without its port; only characters valid in a host. */
const hostOf = (header: string | undefined) =>
  /^([a-z0-9.-]{1,253})(:\d+)?$/i.exec(header ?? '')?.[1] ?? 'localhost';

/**
 * Plain HTTP for devices that do not trust the authority yet: its certificate and instructions.
 * @param caPem the authority's certificate; its key is not sent
 * @param appPort port of the app on the same host, HTTPS
 */
export function trustServer(caPem: string, appPort: number): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('cache-control', 'no-store');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else if (path === '/ca.crt') {
      response
        .writeHead(200, {
          'content-type': 'application/x-x509-ca-cert',
          'content-disposition': 'attachment; filename="ca.crt"',
        })
        .end(caPem);
    } else if (path === '/') {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(page(`https://${hostOf(request.headers.host)}:${appPort}/`));
    } else {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Не найдено\n');
    }
  });
}
