import type { Page } from '@playwright/test';

/** The text spacing of WCAG 1.4.12, as a reader's style sheet sets it. */
const SPACED = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }`;

/** Adds a reader's own style sheet, in place of an earlier one; empty: none. */
export async function readWith(page: Page, css: string): Promise<void> {
  await page.evaluate((text) => {
    const sheets = document.adoptedStyleSheets.filter((sheet) => !('isReaders' in sheet));
    const own = new CSSStyleSheet();
    own.replaceSync(text);
    document.adoptedStyleSheets =
      text === '' ? sheets : [...sheets, Object.assign(own, { isReaders: true })];
  }, css);
}

export const spaceText = (page: Page): Promise<void> => readWith(page, SPACED);

/** Letters twice as large in boxes of the same size, like a browser that enlarges only text. `1` ends it. */
export async function enlargeLetters(page: Page, times: number): Promise<void> {
  await page.evaluate((factor) => {
    const all = [...document.querySelectorAll<HTMLElement>('body, body *')];
    for (const element of all) element.style.removeProperty('font-size');
    if (factor === 1) return;
    const sizes = all.map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    for (const [index, element] of all.entries())
      element.style.setProperty('font-size', `${(sizes[index] ?? 16) * factor}px`, 'important');
  }, times);
}

/** Elements that make the page, its side menu or a dialog scroll sideways. */
export function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const menus = [...document.querySelectorAll('aside')]
      .filter((menu) => menu.scrollWidth > menu.clientWidth)
      .map((menu) => `menu: ${menu.scrollWidth} in ${menu.clientWidth} px`);
    if (menus.length > 0) return menus;
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const scrollsItself = (element: Element) => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible') return true;
      return false;
    };
    const all = [...document.querySelectorAll('body *:not(svg *)')].filter(
      (element) =>
        element.getBoundingClientRect().right > clientWidth + 0.5 && !scrollsItself(element),
    );
    const wide = all.filter(
      (element) => !all.some((other) => other !== element && element.contains(other)),
    );
    return [`page: ${scrollWidth} in ${clientWidth} px`].concat(
      wide.slice(0, 4).map((element) => element.outerHTML.slice(0, 160)),
    );
  });
}

/** Texts that a box cuts off: their own box, or one around them, hides the rest. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const isSpokenOnly = (element: Element) => {
      const { clipPath, clip } = getComputedStyle(element);
      return clipPath.startsWith('inset(50%') || clip.startsWith('rect(0');
    };
    for (const element of document.querySelectorAll('body *')) {
      const style = getComputedStyle(element);
      if (!isShown(element) || element.closest('[aria-hidden=true], .katex')) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.bottom <= 0) continue;
      if (element.matches('input[readonly], input[type=button], select')) {
        const field = element as HTMLInputElement;
        if (field.scrollWidth > field.clientWidth + 1)
          found.push(`field ${field.scrollWidth} in ${field.clientWidth}: ${field.value}`);
        continue;
      }
      if (!/hidden|clip/.test(style.overflowX + style.overflowY)) continue;
      if (isSpokenOnly(element) || element.matches('svg, svg *, html, body')) continue;
      // Lists at the side have one line each, and the whole text in their title.
      if (style.textOverflow === 'ellipsis' && element.closest('[title]')) continue;
      const isClamped = style.webkitLineClamp !== 'none';
      const isCutAcross =
        /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
      const isCutDown =
        !isClamped &&
        /hidden|clip/.test(style.overflowY) &&
        element.scrollHeight > element.clientHeight + 1;
      if (!isCutAcross && !isCutDown) continue;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (
          !parent ||
          node.textContent?.trim() === '' ||
          !isShown(parent) ||
          parent.closest('[aria-hidden=true]')
        )
          continue;
        let around: Element | null = parent;
        while (around && around !== element && !isSpokenOnly(around)) around = around.parentElement;
        if (around !== element) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const edge = element.getBoundingClientRect();
        const isOut = [...range.getClientRects()].some(
          (rect) =>
            rect.width > 1 &&
            (rect.right > edge.right + 1.5 ||
              rect.left < edge.left - 1.5 ||
              (!isClamped &&
                (rect.bottom > edge.bottom + rect.height * 0.25 ||
                  rect.top < edge.top - rect.height * 0.25))),
        );
        if (isOut) {
          found.push(
            `cut by ${element.tagName}.${element.className}: «${node.textContent?.trim().slice(0, 60)}»`,
          );
          break;
        }
      }
    }
    return [...new Set(found)];
  });
}

/** Texts that lie on each other, or reach out of their button. */
export function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const top = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document.body;
    const lines: {
      node: Node;
      text: string;
      parent: Element;
      left: number;
      right: number;
      top: number;
      bottom: number;
    }[] = [];
    const isFloating = (element: Element) => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
      return false;
    };
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !node.textContent?.trim()) continue;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (parent.closest('.katex, svg, option, script, style, [data-area]')) continue;
      const hidden = (() => {
        for (let at: Element | null = parent; at && at !== top; at = at.parentElement) {
          const { clipPath, clip, overflow, width } = getComputedStyle(at);
          if (clipPath.startsWith('inset(50%') || clip.startsWith('rect(0')) return true;
          if (overflow === 'hidden' && width === '1px') return true;
        }
        return false;
      })();
      if (hidden || (top === document.body && isFloating(parent))) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const clips: DOMRect[] = [];
      for (let at: Element | null = parent; at && at !== top; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        if (/hidden|clip|auto|scroll/.test(overflowX + overflowY))
          clips.push(at.getBoundingClientRect());
      }
      const isInSight = ({ left, width, top: above, height }: DOMRect) =>
        clips.every(
          (clip) =>
            left + width / 2 < clip.right &&
            left + width / 2 > clip.left &&
            above + height / 2 < clip.bottom &&
            above + height / 2 > clip.top,
        );
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 1 && isInSight(rect));
      for (const rect of rects) {
        const inset = rect.height * 0.22;
        lines.push({
          node,
          text: node.textContent.trim().slice(0, 40),
          parent,
          left: rect.left + 1,
          right: rect.right - 1,
          top: rect.top + inset,
          bottom: rect.bottom - inset,
        });
      }
      const button = parent.closest('button, a, [role=option], label');
      if (button && getComputedStyle(button).display !== 'inline') {
        const box = button.getBoundingClientRect();
        for (const rect of rects) {
          if (
            rect.left < box.left - 2 ||
            rect.right > box.right + 2 ||
            rect.bottom > box.bottom + rect.height * 0.3 ||
            rect.top < box.top - rect.height * 0.3
          )
            found.push(`out of its ${button.tagName}: «${node.textContent.trim().slice(0, 40)}»`);
        }
      }
    }
    lines.sort((one, other) => one.top - other.top);
    for (const [index, one] of lines.entries()) {
      for (let at = index + 1; at < lines.length; at += 1) {
        const other = lines[at];
        if (!other || other.top >= one.bottom) break;
        if (
          other.node !== one.node &&
          other.left < one.right &&
          one.left < other.right &&
          other.bottom > one.top
        )
          found.push(`«${one.text}» on «${other.text}»`);
      }
    }
    return [...new Set(found)];
  });
}

/** Ordinary words, up to this number of letters, that break at a line's end without a hyphen. */
export function brokenWords(page: Page, maxLetters = 24): Promise<string[]> {
  return page.evaluate((longest) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent ?? '';
      if (!parent || !/\p{L}{2}/u.test(text)) continue;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (parent.closest('.katex, svg, option, script, style, code, pre, textarea')) continue;
      let clamp: Element | null = parent;
      while (clamp && getComputedStyle(clamp).webkitLineClamp === 'none')
        clamp = clamp.parentElement;
      const end = clamp?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY;
      for (const match of text.matchAll(/\S+/gu)) {
        // Addresses, e-mails and codes have no place to break at.
        if (/[@/:_\d]/u.test(match[0])) continue;
        for (const word of match[0].matchAll(/\p{L}+/gu)) {
          if (word[0].length < 2 || word[0].length > longest) continue;
          const from = match.index + word.index;
          let line: number | null = null;
          let height = 0;
          for (let at = from; at < from + word[0].length; at += 1) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const rect = range.getClientRects()[0];
            if (!rect || rect.width === 0 || rect.top >= end - 1) continue;
            if (line !== null && Math.abs(rect.top - line) > height / 2) {
              found.push(
                `${word[0].slice(0, at - from)}|${word[0].slice(at - from)} (${parent.tagName}.${parent.className})`,
              );
              break;
            }
            line = rect.top;
            ({ height } = rect);
          }
        }
      }
    }
    return [...new Set(found)];
  }, maxLetters);
}

/** Whether something else covers the focused element entirely; null: nothing does. */
export function coveredFocus(page: Page): Promise<{ key: string; covered: string | null }> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return { key: '', covered: null };
    const target =
      focused.closest('label') ??
      (getComputedStyle(focused).opacity === '0' ? focused.parentElement : null) ??
      focused;
    const box = target.getBoundingClientRect();
    const name = `${focused.tagName} «${(focused.getAttribute('aria-label') ?? target.textContent ?? '').trim().slice(0, 50)}»`;
    const key = `${name}${box.width}`;
    const left = Math.max(0, box.left);
    const right = Math.min(innerWidth, box.right);
    const top = Math.max(0, box.top);
    const bottom = Math.min(innerHeight, box.bottom);
    if (box.width <= 1 || box.height <= 1) return { key, covered: null };
    if (right <= left || bottom <= top)
      return {
        key,
        covered: `${name}: out of sight, ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${innerHeight}`,
      };
    let cover = '';
    for (let row = 0.1; row < 1; row += 0.2) {
      for (let column = 0.06; column < 1; column += 0.11) {
        const hit = document.elementFromPoint(
          left + (right - left) * column,
          top + (bottom - top) * row,
        );
        if (!hit) continue;
        if (target.contains(hit) || hit.contains(target)) return { key, covered: null };
        cover = hit.outerHTML.slice(0, 120);
      }
    }
    return { key, covered: `${name} under ${cover}` };
  });
}
