import { createContext, useContext } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { Scheduler } from '#app/outbox/scheduler.ts';
import type { Storage } from '#app/storage/storage.ts';
import type { InstallOffer } from './install.ts';
import type { WorkerLink } from './worker-link.ts';

/** What the screens share of this device: its outbox and memory, its worker, and the time. */
export interface Device {
  outbox: Outbox;
  scheduler: Scheduler;
  storage: Storage;
  worker: WorkerLink;
  install: InstallOffer;
  /** Server time by the last known offset, else the device's own; milliseconds since 1970. */
  serverNow: () => number;
  /** Of the school, for every time that is shown. */
  timeZone: string;
}

export const DeviceContext = createContext<Device | null>(null);

/** Throws outside of its provider. */
export function useDevice(): Device {
  const device = useContext(DeviceContext);
  if (!device) throw new Error('useDevice needs DeviceContext');
  return device;
}
