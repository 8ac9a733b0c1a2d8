import type { Difficulty } from '#contract/themes.ts';
import type { Question } from '#contract/questions.ts';
import { tag, type Written } from '#interchange/xml-writer.ts';
import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import type { ItemMetadata } from './item.ts';

const DIFFICULTIES: Readonly<Record<string, Difficulty>> = {
  'very easy': 'easy',
  easy: 'easy',
  medium: 'medium',
  difficult: 'hard',
  'very difficult': 'hard',
};
const WORDS: Readonly<Record<Difficulty, string>> = {
  easy: 'easy',
  medium: 'medium',
  hard: 'difficult',
};

/** Text of a LOM element, which is in `string` or `langstring`. */
function words(node: XmlElement | undefined): string {
  if (!node) return '';
  const inner = element(node, 'string') ?? element(node, 'langstring') ?? element(node, 'value');
  return (inner ? textOf(inner) : textOf(node)).replaceAll(/\s+/g, ' ').trim();
}

/** Reads an item's LOM metadata: title, topic, tags and difficulty. */
export function readLom(resource: XmlElement): ItemMetadata {
  const metadata = element(resource, 'metadata');
  const lom = metadata && [...everyElement(metadata)].find(({ name }) => name === 'lom');
  if (!lom) return {};
  const general = element(lom, 'general');
  const title = words(element(general, 'title'));
  const tags = (general ? elements(general, 'keyword') : []).map(words).filter(Boolean);
  const level = element(element(lom, 'educational'), 'difficulty');
  const difficulty = DIFFICULTIES[words(level && (element(level, 'value') ?? level)).toLowerCase()];
  const taxons = elements(lom, 'classification')
    .flatMap((one) => elements(one, 'taxonPath').slice(0, 1))
    .flatMap((path) => elements(path, 'taxon'))
    .map((taxon) => words(element(taxon, 'entry')))
    .filter(Boolean);
  return {
    ...(title === '' ? {} : { title }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(taxons.length === 0 ? {} : { topic: taxons.join(' / ') }),
  };
}

const saying = (name: string, value: string) =>
  tag(`imsmd:${name}`, {}, tag('imsmd:string', { language: 'ru' }, value));
const term = (name: string, value: string) =>
  tag(`imsmd:${name}`, {}, tag('imsmd:source', {}, 'LOMv1.0'), tag('imsmd:value', {}, value));

/** Properties that QTI itself cannot express, as LOM metadata; null when there are none. */
export function writeLom({ title, topic, tags = [], difficulty }: Question): Written | null {
  if (!title && !topic && tags.length === 0 && !difficulty) return null;
  return tag(
    'metadata',
    {},
    tag(
      'imsmd:lom',
      {},
      title || tags.length > 0
        ? tag(
            'imsmd:general',
            {},
            title ? saying('title', title) : null,
            ...tags.map((word) => saying('keyword', word)),
          )
        : null,
      difficulty ? tag('imsmd:educational', {}, term('difficulty', WORDS[difficulty])) : null,
      topic
        ? tag(
            'imsmd:classification',
            {},
            term('purpose', 'discipline'),
            tag(
              'imsmd:taxonPath',
              {},
              saying('source', 'Темы'),
              tag('imsmd:taxon', {}, saying('entry', topic)),
            ),
          )
        : null,
    ),
  );
}
