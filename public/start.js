// The sign-in is a part of the page: it can be filled in before the app is there (ADR 14).
{
  const isSignedOut = () => {
    try {
      const holder = localStorage.getItem('attemptHolder') ?? 'nobody';
      return localStorage.getItem('token') === null && holder === 'nobody';
    } catch {
      return false;
    }
  };
  const root = document.getElementById('root');
  const { content } = document.getElementById('sign-in');
  if (/^\/(login|tests\/my)?$/.test(location.pathname) && isSignedOut()) {
    root.hidden = true;
    document.title = `${content.querySelector('h1').textContent} · ${document.title}`;
    root.before(content);
  }
}
// The app's script keeps a slow phone busy: it runs once the page's own words are painted. A hidden page paints nothing.
{
  const { app } = document.currentScript.dataset;
  let isRunning = false;
  let isSettled = false;
  const reload = () => location.reload();
  const isUsed = () =>
    document.querySelector('[data-pressed]') ||
    [...document.querySelectorAll('input, textarea, select')].some((field) =>
      /^(radio|checkbox)$/.test(field.type)
        ? field.checked !== field.defaultChecked
        : field.value !== field.defaultValue,
    );
  const tryToReload = () =>
    void fetch('/favicon.svg?now', { cache: 'no-store' }).then(
      ({ ok }) => ok && !isUsed() && reload(),
      () => {},
    );
  // As in reload-lost-page.ts.
  const onLoss = () => {
    addEventListener('online', reload);
    if (performance.getEntriesByType('navigation')[0]?.type !== 'reload') tryToReload();
    setInterval(tryToReload, 30_000);
  };
  addEventListener('applost', onLoss);
  const run = () => {
    if (isRunning) return;
    isRunning = true;
    const settle = () => (isSettled = true);
    import(app).then(settle, () => {
      settle();
      onLoss();
    });
  };
  const runHidden = () => document.visibilityState === 'hidden' && run();
  runHidden();
  document.addEventListener('visibilitychange', runHidden);
  requestAnimationFrame(() => setTimeout(run));
  // WebKit never settles an import of a page that was left meanwhile; the app itself is not there to notice.
  addEventListener('pageshow', (event) => {
    if (event.persisted && isRunning && !isSettled) reload();
  });
}
