/** What the student did on the painted page is done again on the app's own, and the painted one goes (ADR 14). */

/** On the app's page while something is still loaded. */
const WAITING = '[data-waiting], .before-app';
/** A part that never comes must not keep the student on a page without a script. */
const MAX_WAIT_MS = 5_000;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const fieldsOf = (page: Element) => [...page.querySelectorAll<Field>('input, textarea, select')];

const nameOf = (field: Field) =>
  field.getAttribute('aria-label') ??
  [...(field.labels ?? [])].map((one) => one.textContent).join();

/** Whether the app's field takes the place of the painted one; a locked one takes nothing. */
const takesPlaceOf = (painted: Field, own: Field | undefined): own is Field =>
  own !== undefined &&
  own.type === painted.type &&
  nameOf(own) === nameOf(painted) &&
  !own.disabled &&
  !('readOnly' in own && own.readOnly);

const isChecked = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(field.type);

function wasChanged(field: Field): boolean {
  if (isChecked(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

/** As a user would: React hears of a value only if it was set past the setter that it has put on the field. */
function enter(value: string, field: Field): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  setter?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * What was typed at the end is added to a text that the app has and the painted page had not, as after a kill. The app's
 * text may already be the beginning of the painted one, stored from there.
 */
const textFor = ({ value, defaultValue }: Exclude<Field, HTMLSelectElement>, own: string): string =>
  value.startsWith(defaultValue) && !value.startsWith(own)
    ? own + value.slice(defaultValue.length)
    : value;

function repeatChange(painted: Field, own: Field): void {
  if (!isChecked(painted)) {
    enter(painted instanceof HTMLSelectElement ? painted.value : textFor(painted, own.value), own);
    // A field that was left is checked.
    if (painted !== document.activeElement)
      own.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  }
  // A radio button that lost its choice to another one cannot be clicked off.
  else if (
    isChecked(own) &&
    own.checked !== painted.checked &&
    (painted.checked || painted.type === 'checkbox')
  )
    own.click();
}

function repeatFocus(painted: Element, own: Element): void {
  const { activeElement: focused } = document;
  const index = fieldsOf(painted).findIndex((field) => field === focused);
  const field = fieldsOf(own)[index];
  if (!field) {
    own.querySelector('h1')?.focus({ preventScroll: true });
    return;
  }
  field.focus({ preventScroll: true });
  const from = fieldsOf(painted)[index];
  if (
    from &&
    'selectionStart' in from &&
    from.selectionStart !== null &&
    'setSelectionRange' in field
  )
    field.setSelectionRange(from.selectionStart, from.selectionEnd);
}

const buttonsOf = (page: Element) => [...page.querySelectorAll('button')];

/** Names that identify a button, best first: around a comma or a full stop stands its state, which may have changed. */
function namesOf(button: Element): readonly string[] {
  const name = button.getAttribute('aria-label') ?? button.textContent;
  return [name, name.split(',')[0] ?? '', name.split('. ').at(-1) ?? ''];
}

/**
 * The app's button for one of the painted page. Null when the pages have a different number of buttons of its name: a
 * press of another one would be worse than a lost one.
 */
function findSame(button: HTMLButtonElement, painted: Element, own: Element) {
  for (const [index, name] of namesOf(button).entries()) {
    const [before, after] = [painted, own].map((page) =>
      buttonsOf(page).filter((one) => namesOf(one)[index] === name),
    );
    if (before && after && after.length > 0)
      return before.length === after.length ? (after[before.indexOf(button)] ?? null) : null;
  }
  return null;
}

/** The app's buttons for those pressed on the painted page, in the order of the presses. */
function findPressed(painted: Element, own: Element): HTMLButtonElement[] {
  return buttonsOf(painted)
    .filter((button) => button.dataset['pressed'])
    .sort((one, other) => Number(one.dataset['pressed']) - Number(other.dataset['pressed']))
    .flatMap((button) => findSame(button, painted, own) ?? []);
}

/** One in a task: the app renders between them. */
function press([button, ...others]: readonly HTMLButtonElement[]): void {
  button?.click();
  if (others.length > 0) setTimeout(press, 0, others);
}

const headingOf = (page: Element) => page.querySelector('h1')?.textContent;

/** Replaces the painted page by the app's in one step. Another page, as a sign-in, gets nothing of it. */
function swap(painted: HTMLElement, root: HTMLElement): void {
  root.hidden = false;
  const isSame = headingOf(painted) === headingOf(root);
  const own = isSame ? fieldsOf(root) : [];
  // A repeated choice may add a button.
  const pressed = isSame ? findPressed(painted, root) : [];
  for (const [index, field] of fieldsOf(painted).entries()) {
    const same = own[index];
    if (wasChanged(field) && takesPlaceOf(field, same)) repeatChange(field, same);
  }
  repeatFocus(painted, root);
  painted.remove();
  press(pressed);
}

/** On the painted page: an input method composes, or a pointer is down. */
const BUSY = ['data-composing', 'data-pressing'];

/**
 * Waits until the app shows a page, or its failure, and nothing is under way in the painted one. Then it takes over what
 * was entered, the focus and the buttons pressed.
 */
export function takeOver(painted: HTMLElement, root: HTMLElement): void {
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryToSwap = () => {
    if (!painted.isConnected) return;
    // Words about a slow storage stand over the painted page.
    root.hidden = root.querySelector('[data-slow]') === null;
    if (!root.querySelector('h1, h2')) return;
    timer ??= setTimeout(() => {
      isLate = true;
      tryToSwap();
    }, MAX_WAIT_MS);
    const isReady = isLate || root.querySelector(WAITING) === null;
    if (!isReady || BUSY.some((name) => painted.hasAttribute(name))) return;
    observer.disconnect();
    clearTimeout(timer);
    swap(painted, root);
  };
  const observer = new MutationObserver(tryToSwap);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['data-waiting'] });
  observer.observe(painted, { attributeFilter: BUSY });
  tryToSwap();
}
