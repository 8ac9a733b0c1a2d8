import { createContext, useContext, useState } from 'react';
import type { NamedZone } from '#domain/format-time.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { Scheduler } from '#app/outbox/scheduler.ts';
import type { Storage } from '#app/storage/storage.ts';
import type { InstallOffer } from '#app/offline/install.ts';
import type { WorkerLink } from '#app/offline/worker-link.ts';

/** Device services shared by the screens: outbox, storage, worker and clock. */
export interface DeviceServices {
  outbox: Outbox;
  scheduler: Scheduler;
  storage: Storage;
  worker: WorkerLink;
  install: InstallOffer;
  /** Server time by the last known offset, else device time; milliseconds since 1970. */
  serverNow: () => number;
  /** The school's time zone, used for every displayed time; students' screens: `useShownZone`. */
  timeZone: string;
}

export const DeviceContext = createContext<DeviceServices | null>(null);

/** Throws outside of its provider. */
export function useDevice(): DeviceServices {
  const device = useContext(DeviceContext);
  if (!device) throw new Error('useDevice needs DeviceContext');
  return device;
}

const readOwnZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The school's time zone as students' screens show it: named where the device's own differs. */
export function useShownZone(): NamedZone {
  const { timeZone } = useDevice();
  // Reading it takes a slow phone some milliseconds.
  const [ownZone] = useState(readOwnZone);
  return { timeZone, ownZone };
}
