// The worker has painted the question before the app is there (ADR 14). Its fields work by themselves; this shows what is
// chosen, and remembers for the app which buttons were pressed and whether an input method is at work.
{
  const page = document.getElementById('painted');
  let presses = 0;
  performance.mark('painted');
  page.addEventListener('change', () => {
    for (const field of page.querySelectorAll('label > input'))
      field.parentElement.toggleAttribute('data-checked', field.checked);
  });
  page.addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (!button || button.dataset.pressed) return;
    presses += 1;
    button.dataset.pressed = presses;
    button.style.opacity = 0.6;
  });
  page.addEventListener('compositionstart', () => page.toggleAttribute('data-composing', true));
  page.addEventListener('compositionend', () => page.toggleAttribute('data-composing', false));
}
