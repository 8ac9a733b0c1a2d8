import type { Written } from '#interchange/xml-writer.ts';
import type { XmlElement } from '#interchange/xml.ts';

const camel = (name: string) =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const UNCHANGED = /^(?:data-|aria-|xml:|xmlns|xsi:)/;

/**
 * Normalizes an element of any QTI version to the names of version 2: `qti-choice-interaction` is
 * `choiceInteraction`.
 */
export function asVersion2(node: XmlElement): XmlElement {
  const children = node.children.map((child) =>
    typeof child === 'string' ? child : asVersion2(child),
  );
  if (!node.name.startsWith('qti-')) return { ...node, children };
  const attributes = new Map(
    Array.from(node.attributes, ([name, value]) => [
      UNCHANGED.test(name) ? name : camel(name),
      value,
    ]),
  );
  return { ...node, name: camel(node.name.slice(4)), attributes, children };
}

const OURS = new Set(
  'assessmentItem responseDeclaration correctResponse value mapping mapEntry outcomeDeclaration defaultValue itemBody choiceInteraction simpleChoice hotspotInteraction hotspotChoice orderInteraction inlineChoiceInteraction inlineChoice sum feedbackInline textEntryInteraction extendedTextInteraction matchInteraction simpleMatchSet simpleAssociableChoice uploadInteraction responseProcessing responseCondition responseIf responseElseIf match equal stringMatch variable correct baseValue setOutcomeValue mapResponse modalFeedback rubricBlock contentBody assessmentTest testPart assessmentSection assessmentItemRef'.split(
    ' ',
  ),
);

/** Converts an element with the names of version 2 to those of version 3. */
export function asVersion3(node: Written): Written {
  const children = node.children.map((child) =>
    typeof child === 'string' ? child : asVersion3(child),
  );
  if (!OURS.has(node.name)) return { ...node, children };
  const attributes = Object.fromEntries(
    Object.entries(node.attributes).map(([name, value]) => [
      UNCHANGED.test(name) ? name : kebab(name),
      value,
    ]),
  );
  return { ...node, name: `qti-${kebab(node.name)}`, attributes, children };
}
