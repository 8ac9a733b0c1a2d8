/** Calls back when a load is worth repeating: the network is back, the page is shown, a worker has taken over. */
export function onBetterTimes(retry: () => void): () => void {
  const whenVisible = () => {
    if (document.visibilityState === 'visible') retry();
  };
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  window.addEventListener('online', retry);
  document.addEventListener('visibilitychange', whenVisible);
  serviceWorker?.addEventListener('controllerchange', retry);
  return () => {
    window.removeEventListener('online', retry);
    document.removeEventListener('visibilitychange', whenVisible);
    serviceWorker?.removeEventListener('controllerchange', retry);
  };
}
