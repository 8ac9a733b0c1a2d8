/** Chromium's event that lets a page offer its own installation. */
interface InstallEvent extends Event {
  prompt: () => Promise<unknown>;
}

const isInstallEvent = (event: Event): event is InstallEvent => 'prompt' in event;

/** `offer`: a button can install; `iosHint`: only words can; `none`: installed, or not possible. */
export type InstallWay = 'offer' | 'iosHint' | 'none';

export interface InstallOffer {
  way: () => InstallWay;
  subscribe: (changed: () => void) => () => void;
  /** Shows the browser's own question. */
  ask: () => Promise<void>;
}

interface Surroundings {
  userAgent: string;
  maxTouchPoints: number;
  isStandalone: boolean;
}

/** iPhones and iPads (which call themselves Macs) install only through their share menu. */
export function needsIosHint({ userAgent, maxTouchPoints, isStandalone }: Surroundings): boolean {
  if (isStandalone) return false;
  return (
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
  );
}

/** Collects the browser's offer to install; make it before the page is drawn, the event comes early. */
export function createInstallOffer(target: EventTarget, surroundings: Surroundings): InstallOffer {
  let event: InstallEvent | null = null;
  const listeners = new Set<() => void>();
  const become = (next: InstallEvent | null) => {
    event = next;
    for (const listener of listeners) listener();
  };
  target.addEventListener('beforeinstallprompt', (offered) => {
    if (!isInstallEvent(offered)) return;
    offered.preventDefault();
    become(offered);
  });
  target.addEventListener('appinstalled', () => become(null));
  return {
    way: () => (event ? 'offer' : needsIosHint(surroundings) ? 'iosHint' : 'none'),
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    ask: async () => {
      const offered = event;
      become(null);
      await offered?.prompt();
    },
  };
}
