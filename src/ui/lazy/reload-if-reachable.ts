/** Loads the page anew where the server answers, so that it can only gain. */
export const reloadIfReachable = (): Promise<void> =>
  fetch('/favicon.svg', { cache: 'no-store' }).then(
    ({ ok }) => {
      if (ok) window.location.reload();
    },
    () => undefined,
  );
