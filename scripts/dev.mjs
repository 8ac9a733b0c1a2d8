import { spawn } from 'node:child_process';
import { prepare } from './lib/prepare.mjs';
import { inProject, main, root, say } from './lib/project.mjs';

const apiPort = process.env['API_PORT'] ?? '3001';

const startServer = () =>
  spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'watch', 'server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      DEMO: '1',
      DATA_DIR: inProject('.data', 'dev'),
      HOST: '127.0.0.1',
      WEB_CONCURRENCY: '1',
      ...process.env,
      PORT: apiPort,
    },
  });

await main(async () => {
  await prepare();
  const { createServer } = await import('vite');
  const server = startServer();
  const app = await createServer({ root, configFile: inProject('vite.config.ts') });
  await app.listen(Number(process.env['PORT'] ?? 3000));
  say(`Приложение с перезагрузкой: http://localhost:${app.config.server.port}`);
  const ended = new Promise((resolve) => server.on('close', resolve));
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => server.kill(signal));
  await ended;
  await app.close();
});
