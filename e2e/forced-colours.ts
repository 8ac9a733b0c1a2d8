import type { Page } from '@playwright/test';

/** What is chosen, current or pressed on the screen, and drawn just as what is not: colours cannot tell them apart. */
const sameAsOthers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const ON =
      '[aria-current]:not([aria-current=false]), [aria-selected=true], [aria-pressed=true], [aria-checked=true], input:checked';
    const OFF = 'a, button, [role], input';
    const LISTS = 'ul, ol, nav, table, fieldset, [role=tablist], [role=listbox], [role=radiogroup]';
    const top = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document.body;
    const boxOf = (element: Element) =>
      element instanceof HTMLInputElement ? (element.closest('label') ?? element) : element;
    const isSeen = (element: Element) =>
      boxOf(element).checkVisibility({ visibilityProperty: true });
    const isNative = (element: Element) => {
      const { appearance, opacity, width } = getComputedStyle(element);
      return (
        element.matches('select, input') &&
        appearance !== 'none' &&
        opacity !== '0' &&
        Number.parseFloat(width) > 1
      );
    };
    const lookOf = (element: Element, pseudo?: string) => {
      const style = getComputedStyle(element, pseudo);
      const { content, display, visibility, opacity, fontWeight, textDecorationLine } = style;
      const { backgroundColor, backgroundImage, boxShadow, color, fill } = style;
      const edges = ['Top', 'Right', 'Bottom', 'Left'] as const;
      const borders = edges.map((edge) =>
        style[`border${edge}Style`] === 'none' || style[`border${edge}Width`] === '0px'
          ? ''
          : [
              style[`border${edge}Style`],
              style[`border${edge}Width`],
              style[`border${edge}Color`],
            ].join(' '),
      );
      if (pseudo && (content === 'none' || content === 'normal')) return '';
      return [content, display, visibility, opacity, fontWeight, textDecorationLine]
        .concat([backgroundColor, backgroundImage, boxShadow, color, fill], borders)
        .join('|');
    };
    const drawing = (element: Element) =>
      [boxOf(element), ...boxOf(element).querySelectorAll('*:not(svg *)')]
        .map(
          (part) =>
            `${part.tagName}${lookOf(part)}${lookOf(part, '::before')}${lookOf(part, '::after')}`,
        )
        .join('\n');
    return [...top.querySelectorAll(ON)].flatMap((on) => {
      if (!isSeen(on) || isNative(on)) return [];
      const list = on.parentElement?.closest(LISTS) ?? on.parentElement;
      const off = [...(list?.querySelectorAll(OFF) ?? [])].find(
        (other) =>
          other.tagName === on.tagName &&
          other.className === on.className &&
          other.getAttribute('type') === on.getAttribute('type') &&
          !other.matches(ON) &&
          !other.matches(':disabled') &&
          isSeen(other),
      );
      if (!off || drawing(on) !== drawing(off)) return [];
      return [`drawn as what is not: ${on.outerHTML.slice(0, 160)}`];
    });
  });

/** Draws the screen in the colours of the system, and looks for states that only other colours showed. */
export async function statesLostInForcedColours(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const found = await sameAsOthers(page);
  await page.emulateMedia({ forcedColors: 'none' });
  return found;
}
