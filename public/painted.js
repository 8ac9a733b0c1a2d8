// The worker has painted the question before the app is there (ADR 14). Its fields work by themselves; this shows what is
// chosen, and remembers for the app which buttons were pressed and whether an input method is at work.
{
  const page = document.getElementById('painted');
  const SLOW_MS = 8_000;
  let presses = 0;
  performance.mark('painted');
  page.addEventListener('change', ({ target }) => {
    // A choice after «Сбросить выбор» stands.
    const group = target.closest('[role=group], [role=radiogroup]');
    for (const button of group?.querySelectorAll('[data-pressed]') ?? []) {
      delete button.dataset.pressed;
      button.style.opacity = '';
    }
    for (const field of page.querySelectorAll('label > input'))
      field.parentElement.toggleAttribute('data-checked', field.checked);
  });
  // What it says is true of the answer before.
  page.addEventListener('input', () =>
    page.querySelector('[data-answer-state]')?.replaceChildren(),
  );
  page.addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (!button || button.dataset.pressed) return;
    presses += 1;
    button.dataset.pressed = presses;
    button.style.opacity = 0.6;
  });
  // The painted page has no form: a button waits for the app.
  page.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Enter' && target.matches('input')) page.querySelector('[type=submit]')?.click();
  });
  // A press begins before the field loses its focus, and its click comes after the pointer is up.
  page.addEventListener('pointerdown', () => page.toggleAttribute('data-pressing', true));
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, () =>
      setTimeout(() => page.toggleAttribute('data-pressing', false), 50),
    );
  page.addEventListener('compositionstart', () => page.toggleAttribute('data-composing', true));
  page.addEventListener('compositionend', () => page.toggleAttribute('data-composing', false));
  // The page's own words about a slow start, which the painted page hides.
  setTimeout(() => {
    const root = document.getElementById('root');
    const words = root.querySelector('.before-app');
    if (!words) return;
    words.style.minHeight = 'auto';
    words.querySelector('.long').style.visibility = 'visible';
    root.hidden = false;
    page.before(root);
  }, SLOW_MS);
}
