import DOMPurify from 'dompurify';
import {
  addressOf,
  isList,
  MAX_PAINTED,
  paintedCache,
  stampOf,
  type PaintedPage,
} from '#app/offline/painted-page.ts';
import { whenIdle } from '#app/lazy/when-idle.ts';
import { readMirror } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';

/** What works only with the script, or would act without it: a form would leave the page at Enter. */
const FORBIDDEN = ['form', 'audio', 'video', 'dialog'];
/** Pseudo-classes and pseudo-elements at the end of a selector's part. */
const STATES = /(?<=[\w\]*)])::?(?!not|is|where|has)[\w-]+(?:\([^()]*\))?/g;
const FIELD_ATTRIBUTES = ['enterkeyhint', 'inputmode', 'autocorrect', 'autocapitalize'];

/** What a student has entered is a property of a field; HTML has attributes alone. */
function writeValues(from: Element, to: Element): void {
  const copies = to.querySelectorAll('input, textarea, option');
  for (const [index, field] of from.querySelectorAll('input, textarea, option').entries()) {
    const copy = copies[index];
    if (!copy) continue;
    // Browsers fill the fields of a reloaded page with their former values.
    copy.setAttribute('autocomplete', 'off');
    if (field instanceof HTMLTextAreaElement) copy.textContent = field.value;
    else if (field instanceof HTMLOptionElement) copy.toggleAttribute('selected', field.selected);
    else if (field instanceof HTMLInputElement) {
      copy.toggleAttribute('checked', field.checked);
      if (field.type === 'text') copy.setAttribute('value', field.value);
      // The app's own radio buttons of that name would take the choice away.
      if (field.name !== '') copy.setAttribute('name', `painted-${field.name}`);
    }
  }
}

/** Elements that are sanitised in one idle period: about 10 ms on a slow phone. */
const MAX_IN_PART = 50;
const idle = () => new Promise<void>(whenIdle);

const sanitise = (element: Element): DocumentFragment =>
  DOMPurify.sanitize(element, {
    FORBID_TAGS: FORBIDDEN,
    ADD_ATTR: FIELD_ATTRIBUTES,
    RETURN_DOM_FRAGMENT: true,
  });

/** A large element is sanitised without its content, which follows in parts. */
async function sanitiseInParts(element: Element): Promise<DocumentFragment> {
  const isLarge =
    element instanceof HTMLElement && element.getElementsByTagName('*').length > MAX_IN_PART;
  if (!isLarge) {
    await idle();
    return sanitise(element);
  }
  const own = sanitise(element.cloneNode(false) as Element);
  const content = own.firstElementChild ?? own;
  for (let node = element.firstChild; node; node = element.firstChild) {
    node.remove();
    if (node instanceof Element) content.append(await sanitiseInParts(node));
    else if (node instanceof Text) content.append(node);
  }
  return own;
}

/** The page as HTML that can be parsed again: without scripts, and fields with what is entered in them. */
export async function paintedBody(root: Element): Promise<string> {
  const copy = document.createElement('div');
  copy.append(...root.cloneNode(true).childNodes);
  writeValues(root, copy);
  const safe = document.createElement('div');
  safe.append(await sanitiseInParts(copy));
  return safe.firstElementChild?.innerHTML ?? '';
}

/** Whether an element has the rule, in whatever state; a selector that cannot be tried counts. */
function isUsed(rule: CSSRule, root: Element): boolean {
  if (!(rule instanceof CSSStyleRule))
    return (
      'cssRules' in rule && [...(rule as CSSGroupingRule).cssRules].some((one) => isUsed(one, root))
    );
  try {
    return root.querySelector(rule.selectorText.replaceAll(STATES, '')) !== null;
  } catch {
    return true;
  }
}

/** Those of screens seen before stay in the document. */
const usedSheets = (root: Element): CSSStyleSheet[] =>
  [...document.styleSheets].filter(({ cssRules }) =>
    [...cssRules].some((rule) => isUsed(rule, root)),
  );

const addressesOf = (sheets: readonly CSSStyleSheet[]): string[] =>
  sheets.flatMap(({ href }) => (href === null ? [] : [new URL(href).pathname]));

/** Each once: after a reload the head also has those of the painted page, which would double them each time. */
const rulesOf = (sheets: readonly CSSStyleSheet[]): string => {
  const rules = sheets
    .filter(({ href, ownerNode }) => href === null && ownerNode?.parentElement === document.head)
    .flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
  return [...new Set(rules)].join('\n');
};

/** Addresses of the fonts that the page has loaded; those of formulas only where there is one. */
const usedFonts = (root: Element): string[] => [
  ...new Set(
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter(
        (path) =>
          path.endsWith('.woff2') && (!path.includes('KaTeX') || root.querySelector('.katex')),
      ),
  ),
];

async function describePage(root: Element, stamp: string | null): Promise<PaintedPage | null> {
  const app = document.querySelector<HTMLElement>('script[data-app]')?.dataset['app'];
  // Neither an open dialog, nor a page that is still loading or has failed; the development build has no such script.
  if (app === undefined || document.querySelector('[role=dialog], [data-waiting]')) return null;
  if ([...document.querySelectorAll('[role=alert]')].some((alert) => alert.textContent !== ''))
    return null;
  const sheets = usedSheets(root);
  const { title } = document;
  const body = await paintedBody(root);
  if (body.length > MAX_PAINTED) return null;
  return {
    app,
    stamp,
    paintedAt: Date.now(),
    title,
    styles: addressesOf(sheets),
    rules: rulesOf(sheets),
    fonts: usedFonts(root),
    body,
  };
}

/** Lists and overviews of one user on the device at most. */
const MAX_LISTS = 8;

/** Stores the page under its address. What must give way: another attempt, and the oldest lists. */
async function store(name: string, address: string, page: PaintedPage): Promise<void> {
  const cache = await caches.open(name);
  const others = (await cache.keys()).map(({ url }) => addressOf(new URL(url)));
  const lists = others.filter(isList);
  const tooMany = isList(address)
    ? lists.slice(0, 1 - MAX_LISTS)
    : others.filter((other) => !isList(other));
  for (const other of tooMany) await cache.delete(other);
  await cache.put(address, Response.json(page));
}

/**
 * Stores what the screen shows for the next navigation to its address; nothing once the owner has signed out.
 * @param stamp of the attempt on the screen; null: a list or an overview
 * @returns whether it is stored
 */
export async function paintPage(
  root: Element,
  storage: Storage,
  owner: string,
  stamp: string | null,
): Promise<boolean> {
  const isSignedIn = async () => (await readMirror(storage))?.owner === owner;
  const address = addressOf(location);
  const page = await describePage(root, stamp);
  if (!page || !(await isSignedIn())) return false;
  const name = paintedCache(owner);
  await store(name, address, page);
  // A sign-out meanwhile did not wait for this when it deleted the cache.
  if (await isSignedIn()) return true;
  await caches.delete(name);
  return false;
}

export interface PaintedAttempt {
  owner: string;
  attemptId: string;
  /** Question on the screen, null before the first choice, and last sequence: those of the device's rows. */
  questionId: string | null;
  head: number;
}

/** The same for the taking page; nothing while the screen and the device's rows differ. */
export async function paintAttempt(
  root: Element,
  storage: Storage,
  { owner, attemptId, questionId, head }: PaintedAttempt,
): Promise<boolean> {
  const attempt = await storage.read(['attempts'], (tx) => tx.get('attempts', attemptId));
  const stream = attempt?.streams.find((one) => one.stream === attempt.stream);
  if (!attempt || stream?.nextSequence !== head + 1 || attempt.lastQuestionId !== questionId)
    return false;
  return paintPage(root, storage, owner, stampOf(attempt));
}
