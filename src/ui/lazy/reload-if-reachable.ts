/** Reloads the page if the server answers, so that a reload cannot make things worse. */
export const reloadIfReachable = (): Promise<void> =>
  fetch('/favicon.svg', { cache: 'no-store' }).then(
    ({ ok }) => {
      if (ok) window.location.reload();
    },
    () => undefined,
  );
