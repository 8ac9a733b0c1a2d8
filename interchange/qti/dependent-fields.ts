import { element, elements, everyElement, type XmlElement } from '#interchange/xml.ts';
import { COMPARED, comparedIn, outcomeNames } from './scoring.ts';

const variablesOf = (node: XmlElement): readonly string[] =>
  elements(node, 'variable').map(({ attributes }) => attributes.get('identifier') ?? '');

/** Whether the points for one field depend on another one: a word counts once, in any of the fields. */
export function areDependent(item: XmlElement, responses: readonly string[]): boolean {
  const root = element(item, 'responseProcessing');
  const { isFeedback } = outcomeNames(item);
  const several = (names: readonly string[]) =>
    new Set(names.filter((name) => responses.includes(name))).size > 1;
  return [...(root ? everyElement(root) : [])].some((node) => {
    if (node.name !== 'responseIf' && node.name !== 'responseElseIf') return false;
    const [condition] = elements(node);
    const isForPoints = elements(node, 'setOutcomeValue').some(
      ({ attributes }) => !isFeedback(attributes.get('identifier') ?? ''),
    );
    if (!condition || !isForPoints) return false;
    return [...everyElement(condition)].some(
      (inner) =>
        (COMPARED.has(inner.name) && several(variablesOf(inner))) ||
        (inner.name === 'or' && several(comparedIn(inner))),
    );
  });
}
