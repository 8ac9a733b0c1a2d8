/** Chromium's `beforeinstallprompt` event. */
interface InstallEvent extends Event {
  prompt: () => Promise<unknown>;
}

const isInstallEvent = (event: Event): event is InstallEvent => 'prompt' in event;

/** `offer`: a button can install; `iosHint`: only instructions can be shown; `none`: installed or not possible. */
export type InstallMethod = 'offer' | 'iosHint' | 'none';

export interface InstallOffer {
  method: () => InstallMethod;
  subscribe: (changed: () => void) => () => void;
  /** Shows the browser's install prompt. */
  ask: () => Promise<void>;
}

interface Environment {
  userAgent: string;
  maxTouchPoints: number;
  isStandalone: boolean;
}

/** iPhones and iPads (which call themselves Macs) install only through their share menu. */
export function needsIosHint({ userAgent, maxTouchPoints, isStandalone }: Environment): boolean {
  if (isStandalone) return false;
  return (
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
  );
}

/** Captures the browser's install prompt; create it before the first render, since the event fires early. */
export function createInstallOffer(target: EventTarget, environment: Environment): InstallOffer {
  let event: InstallEvent | null = null;
  const listeners = new Set<() => void>();
  const setEvent = (next: InstallEvent | null) => {
    event = next;
    for (const listener of listeners) listener();
  };
  target.addEventListener('beforeinstallprompt', (promptEvent) => {
    if (!isInstallEvent(promptEvent)) return;
    promptEvent.preventDefault();
    setEvent(promptEvent);
  });
  target.addEventListener('appinstalled', () => setEvent(null));
  return {
    method: () => (event ? 'offer' : needsIosHint(environment) ? 'iosHint' : 'none'),
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    ask: async () => {
      const promptEvent = event;
      setEvent(null);
      await promptEvent?.prompt();
    },
  };
}
