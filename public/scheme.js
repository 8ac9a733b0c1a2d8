// Before the first paint: the colours that were chosen here, where the system's are others.
try {
  const chosen = localStorage.getItem('color-scheme');
  if (chosen === 'light' || chosen === 'dark')
    document.querySelector('meta[name=color-scheme]').content = chosen;
} catch {
  // Storage is forbidden: nothing was chosen.
}
