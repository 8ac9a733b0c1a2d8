import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { engineProgram } from '#scripts/lib/engines.mjs';
import type { EngineBrowser, EnginePage } from './engine.ts';

/** How WebDriver names an element in JSON. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A virtual display; Xvfb picks and prints the first free number. */
async function openDisplay(): Promise<{ name: string; process: ChildProcess }> {
  const xvfb = spawn(
    engineProgram('xvfb'),
    ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const number = await new Promise<string>((resolve, reject) => {
    let text = '';
    xvfb.stdio[3]?.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes('\n')) resolve(text.trim());
    });
    xvfb.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    xvfb.once('error', reject);
  });
  return { name: `:${number}`, process: xvfb };
}

/** WebKitGTK, which has Safari's engine, by WebDriver. Its automated profile lives in memory. */
export async function openWebKit(): Promise<EngineBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'exam-room-webkit-'));
  const display = await openDisplay();
  const port = await freePort();
  const driver = spawn(engineProgram('webkitDriver'), [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display.name,
      HOME: home,
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await reply.json()) as { value: T & { error?: string; message?: string } };
    if (!reply.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`);
    return value;
  }
  await expect
    .poll(() =>
      call('GET', '/status').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: engineProgram('webkit'), args: ['--automation'] },
      },
    },
  });
  const session = `/session/${sessionId}`;
  const act = (path: string, body: unknown = {}) => call<null>('POST', `${session}${path}`, body);
  const element = async (selector: string): Promise<string> => {
    const found = await call<Record<string, string>>('POST', `${session}/element`, {
      using: 'css selector',
      value: selector,
    });
    return `/element/${found[ELEMENT]}`;
  };

  const page: EnginePage = {
    goto: async (url) => void (await act('/url', { url })),
    reload: async () => void (await act('/refresh')),
    back: async () => void (await act('/back')),
    forward: async () => void (await act('/forward')),
    run: (script, ...args) => call('POST', `${session}/execute/sync`, { script, args }),
    click: async (selector) => void (await act(`${await element(selector)}/click`)),
    type: async (selector, text) => {
      const into = await element(selector);
      await act(`${into}/clear`);
      await act(`${into}/value`, { text });
    },
    attach: async (selector, path) =>
      void (await act(`${await element(selector)}/value`, { text: path })),
  };
  async function reopen(): Promise<void> {
    const { handle } = await call<{ handle: string }>('POST', `${session}/window/new`, {
      type: 'window',
    });
    await call('DELETE', `${session}/window`);
    await act('/window', { handle });
  }
  return {
    page,
    reopen,
    end: reopen,
    async close() {
      await call('DELETE', session).catch(() => undefined);
      driver.kill('SIGKILL');
      display.process.kill('SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
