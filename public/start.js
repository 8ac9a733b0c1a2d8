// The app's script keeps a slow phone busy: it runs once the page's own words are painted. A hidden page paints nothing.
{
  const { app } = document.currentScript.dataset;
  const run = () => void import(app);
  if (document.visibilityState === 'hidden') run();
  else requestAnimationFrame(() => setTimeout(run));
}
