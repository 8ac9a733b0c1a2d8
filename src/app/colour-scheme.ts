import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { logProblem } from '#app/lib/log.ts';

/** public/scheme.js reads the key too, before anything else is loaded. */
export const SCHEME_KEY = 'color-scheme';

/** Theme colours of the browser's bars; the same as the body's background. */
const BARS = { light: '#f1f2f5', dark: '#0e1017' };

const isScheme = (text: string | null): text is MantineColorScheme =>
  text === 'light' || text === 'dark' || text === 'auto';

function contentOf(selector: string, content: string): void {
  document.querySelector(`meta${selector}`)?.setAttribute('content', content);
}

/** Applies the scheme outside of Mantine: the canvas before the first paint and the browser's bars. */
function paintBrowser(scheme: MantineColorScheme): void {
  const [light, dark] = scheme === 'auto' ? [BARS.light, BARS.dark] : [BARS[scheme], BARS[scheme]];
  contentOf('[name="color-scheme"]', scheme === 'auto' ? 'light dark' : scheme);
  contentOf('[name="theme-color"][media*="light"]', light);
  contentOf('[name="theme-color"][media*="dark"]', dark);
}

/** Stores the chosen scheme in local storage; an invalid value is logged and ignored. */
export function createColourScheme(local: Storage): MantineColorSchemeManager {
  let onStorage: ((event: StorageEvent) => void) | null = null;
  const manager: MantineColorSchemeManager = {
    get(byDefault) {
      let stored: string | null = null;
      try {
        stored = local.getItem(SCHEME_KEY);
      } catch (cause) {
        logProblem('Хранилище не читается', { key: SCHEME_KEY, cause });
      }
      if (stored === null || isScheme(stored)) return stored ?? byDefault;
      logProblem('Оформление не читается', { key: SCHEME_KEY });
      return byDefault;
    },
    set(scheme) {
      paintBrowser(scheme);
      try {
        local.setItem(SCHEME_KEY, scheme);
      } catch (cause) {
        logProblem('Оформление не запомнить', { cause });
      }
    },
    subscribe(onUpdate) {
      onStorage = ({ key, newValue }) => {
        if (key === SCHEME_KEY && isScheme(newValue)) onUpdate(newValue);
      };
      window.addEventListener('storage', onStorage);
    },
    unsubscribe() {
      if (onStorage) window.removeEventListener('storage', onStorage);
      onStorage = null;
    },
    clear: () => local.removeItem(SCHEME_KEY),
  };
  paintBrowser(manager.get('auto'));
  return manager;
}
