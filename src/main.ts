import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { reloadInterrupted } from '#app/app/reload-interrupted.ts';
import { storePaintedAnswers } from '#app/app/painted-answers.ts';
import { takeOver } from '#app/app/take-over.ts';
import { testOnScreen } from '#app/app/redirect-to-sign-in.ts';
import { openDevice, type OpenedDevice } from '#app/app/services.ts';
import { PAINTED_ID } from '#app/offline/painted-page.ts';

/** The used part of Trusted Types; not every browser has it. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string }): unknown;
}

/**
 * Allows only scripts of this origin as workers under a content security policy with Trusted Types: every
 * script URL passes the default policy.
 */
function allowOwnScriptsOnly(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin)
        throw new TypeError(`a script of another origin: ${url}`);
      return url;
    },
  });
}

allowOwnScriptsOnly();
// The router reloads the page when a screen fails to load, and without a network the page is lost. It recognises the
// error by the start of its message.
window.addEventListener('vite:preloadError', ({ payload }) => {
  payload.message = `Not loaded: ${payload.message}`;
});

const loadApp = createModuleLoader(() => import('./app/start-app.tsx'));

/** The painted page is answered, and replaced by the app's once that is there. */
function answerPainted(
  painted: HTMLElement,
  element: HTMLElement,
  opening: Promise<OpenedDevice>,
): void {
  const testId = testOnScreen(location.pathname);
  if (testId !== undefined) {
    opening
      .then((opened) => storePaintedAnswers(painted, opened, testId))
      // The app takes the choices over.
      .catch(() => undefined);
  }
  takeOver(painted, element);
}

/** The storage opens while the rest of the app is still loaded: each is a task of its own. */
function start(element: HTMLElement): void {
  let isLoading = () => true;
  reloadInterrupted(
    window,
    () => isLoading(),
    () => window.location.reload(),
  );
  const opening = openDevice();
  // Its failure is shown by the app.
  opening.catch(() => undefined);
  const painted = document.getElementById(PAINTED_ID);
  if (painted) answerPainted(painted, element, opening);
  loadApp().then(
    ({ startApp }) => {
      // The script has loaded: from here on the network is not the slow part.
      element.querySelector<HTMLElement>('.long')?.style.setProperty('animation', 'none');
      startApp({ element, opening, watchLoading: (next) => (isLoading = next) });
    },
    // `public/start.js` reloads the page.
    () => dispatchEvent(new Event('applost')),
  );
}

const element = document.getElementById('root');
if (element) start(element);
