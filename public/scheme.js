// Before the first paint: the colours that were chosen here, else the system's.
{
  let scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  try {
    const chosen = localStorage.getItem('color-scheme');
    if (chosen === 'light' || chosen === 'dark') {
      scheme = chosen;
      document.querySelector('meta[name=color-scheme]').content = chosen;
    }
  } catch {
    // Storage is forbidden: nothing was chosen.
  }
  document.documentElement.dataset.mantineColorScheme = scheme;
}
