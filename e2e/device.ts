import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserType, Page } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.mjs';
import { test as inRoom } from './room.ts';

const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 800, height: 1100 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 860 }, hasTouch: false, isMobile: false },
} as const;

export type Kind = keyof typeof SIZES;

/** A browser with a profile on disk, which outlives the death of its process. */
export class Device {
  readonly #browser: BrowserType;
  readonly #kind: Kind;
  readonly #profile: string;
  readonly #baseURL: string;
  #context: BrowserContext | null = null;

  constructor(browser: BrowserType, kind: Kind, profile: string, baseURL: string) {
    this.#browser = browser;
    this.#kind = kind;
    this.#profile = profile;
    this.#baseURL = baseURL;
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('the browser of this device is not open');
    return this.#context;
  }

  /** Starts the browser on the device's profile. Returns its one tab. */
  async open({ offline = false } = {}): Promise<Page> {
    this.#context = await this.#browser.launchPersistentContext(this.#profile, {
      ...launchOptions(),
      ...SIZES[this.#kind],
      baseURL: this.#baseURL,
      locale: 'ru-RU',
      timezoneId: 'Europe/Moscow',
      offline,
    });
    return this.#context.pages()[0] ?? this.#context.newPage();
  }

  /** `kill -9` of the browser with all its processes. */
  async kill(): Promise<void> {
    const context = this.context;
    const closed = new Promise((resolve) => context.once('close', resolve));
    // The lock of the profile names the browser's process, which leads a group of its own.
    const lock = await readlink(join(this.#profile, 'SingletonLock'));
    process.kill(-Number(lock.split('-').at(-1)), 'SIGKILL');
    await closed;
    this.#context = null;
  }

  async close(): Promise<void> {
    await this.#context?.close();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A room with devices of its own. */
export const test = inRoom.extend<{ device: (kind: Kind) => Promise<Device> }>({
  device: async ({ playwright, room }, use) => {
    const devices: Device[] = [];
    await use(async (kind) => {
      const profile = await mkdtemp(join(tmpdir(), 'exam-room-device-'));
      const device = new Device(playwright.chromium, kind, profile, room.network.url);
      devices.push(device);
      return device;
    });
    await Promise.all(devices.map((device) => device.close()));
  },
});

export { expect } from '@playwright/test';
