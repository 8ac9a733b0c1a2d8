import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  expect,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserType,
  type Page,
} from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.mjs';
import type { Network } from './network.ts';
import { test as inRoom } from './test-school.ts';

const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 800, height: 1100 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 860 }, hasTouch: false, isMobile: false },
} as const;

export type Kind = keyof typeof SIZES;

/** Arguments for a browser with a camera that shows a recording again and again. */
const cameraArgs = (recording: string | null): string[] =>
  recording === null
    ? []
    : [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${recording}`,
      ];

/** The id of the browser's own process that runs on a profile. */
async function processOf(profile: string): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const id of ids) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const parts = command.split('\0');
    const isChild = parts.some((part) => part.startsWith('--type='));
    if (parts.includes(`--user-data-dir=${profile}`) && !isChild) return Number(id);
  }
  throw new Error(`no browser runs on ${profile}`);
}

/** A browser with a profile on disk, which outlives its process, on a separate line. */
export class Device {
  readonly network: Network;
  /** The recording that the camera shows from the next `open` on (`qr-video.ts`); null: there is no camera. */
  camera: string | null = null;
  readonly #browser: BrowserType;
  readonly #kind: Kind;
  readonly #profile: string;
  #isOffline = false;
  #context: BrowserContext | null = null;

  constructor(browser: BrowserType, kind: Kind, profile: string, network: Network) {
    this.#browser = browser;
    this.#kind = kind;
    this.#profile = profile;
    this.network = network;
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('the browser of this device is not open');
    return this.#context;
  }

  /** Starts the browser on the device's profile. Returns its one tab. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const { args, ...program } = launchOptions();
    this.#context = await this.#browser.launchPersistentContext(this.#profile, {
      ...program,
      args: [...args, ...cameraArgs(this.camera)],
      ...SIZES[this.#kind],
      baseURL: this.network.url,
      locale: 'ru-RU',
      timezoneId: 'Europe/Moscow',
      reducedMotion: 'reduce',
      offline: this.#isOffline,
      // Devices have the worker, even where the pages of a test do not.
      serviceWorkers: 'allow',
      ...options,
    });
    return this.#context.pages()[0] ?? this.#context.newPage();
  }

  /** No network, and the browser knows it. */
  async goOffline(): Promise<void> {
    // The browser's offline switch affects pages only: a worker woken by a sync event would still reach the
    // network.
    this.network.rule = () => 'loseRequest';
    this.#isOffline = true;
    await this.#context?.setOffline(true);
  }

  async goOnline(): Promise<void> {
    this.network.rule = () => 'deliver';
    this.#isOffline = false;
    await this.#context?.setOffline(false);
  }

  /** Waits until the sign-in is on the disk: the browser delays localStorage for seconds. */
  async untilSignInLasts(page: Page): Promise<void> {
    const token = await page.evaluate(() => localStorage.getItem('token'));
    if (token === null) throw new Error('nobody is signed in');
    const folder = join(this.#profile, 'Default', 'Local Storage', 'leveldb');
    const isOnDisk = async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
      const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
      return files.some((bytes) => bytes.includes(token));
    };
    await expect.poll(isOnDisk).toBe(true);
  }

  /** Waits until a cache is on the disk: the browser delays the list of its caches for seconds. */
  async untilCacheLasts(name: string): Promise<void> {
    const folder = join(this.#profile, 'Default', 'Service Worker', 'CacheStorage');
    const isOnDisk = async () => {
      const paths = await readdir(folder, { recursive: true });
      const lists = paths.filter((path) => path.endsWith('index.txt'));
      const texts = await Promise.all(lists.map((path) => readFile(join(folder, path), 'latin1')));
      return texts.some((text) => text.includes(name));
    };
    await expect.poll(isOnDisk).toBe(true);
  }

  /** `kill -9` of the browser with all its processes. */
  async kill(): Promise<void> {
    const context = this.context;
    const closed = new Promise((resolve) => context.once('close', resolve));
    // The browser's process is the leader of its process group.
    process.kill(-(await processOf(this.#profile)), 'SIGKILL');
    await closed;
    this.#context = null;
  }

  async close(): Promise<void> {
    await this.#context?.close();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A test school with separate devices. */
export const test = inRoom.extend<{ device: (kind: Kind) => Promise<Device> }>({
  device: async ({ playwright, school }, use) => {
    const devices: Device[] = [];
    await use(async (kind) => {
      const profile = await mkdtemp(join(tmpdir(), 'exam-room-device-'));
      const device = new Device(playwright.chromium, kind, profile, await school.line());
      devices.push(device);
      return device;
    });
    await Promise.all(devices.map((device) => device.close()));
  },
});

export { expect } from '@playwright/test';
