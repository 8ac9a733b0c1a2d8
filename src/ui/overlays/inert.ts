/** Of live regions, which speak while a dialog is open. */
const LIVE = 'output, [role=status], [role=alert], [aria-live], script, style, link';

let behind: readonly Element[] = [];

/** Makes everything except the uppermost dialog and live regions inert for keys, taps and screen readers. */
export function setInertBehind(uppermost: Element | undefined): void {
  for (const element of behind) element.removeAttribute('inert');
  const next: Element[] = [];
  for (let at = uppermost; at?.parentElement && at !== document.body; at = at.parentElement) {
    for (const sibling of at.parentElement.children) {
      if (sibling === at || sibling.matches(LIVE)) continue;
      sibling.setAttribute('inert', '');
      next.push(sibling);
    }
  }
  behind = next;
}
