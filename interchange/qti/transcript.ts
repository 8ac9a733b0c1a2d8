import type { Question } from '#contract/questions.ts';
import { xmlToMarkdown, type ConversionContext } from '#interchange/html/to-markdown.ts';
import { tag, type Written } from '#interchange/xml-writer.ts';
import { element, everyElement, type XmlElement } from '#interchange/xml.ts';

/** QTI's rubric for the transcript of a recording. Other systems show it if candidates may see it. */
const USE = 'ext:transcript';

export const isTranscript = (node: XmlElement): boolean =>
  node.name === 'rubricBlock' &&
  (node.attributes.get('use') === USE ||
    /(?:^|\s)transcript(?:\s|$)/.test(node.attributes.get('class') ?? ''));

export function writeTranscript(
  { transcript, transcriptShown }: Question,
  block: (markdown: string) => readonly (Written | string)[],
  is3: boolean,
): Written | null {
  if (!transcript) return null;
  const content = block(transcript);
  const view = transcriptShown ? 'candidate' : 'author';
  return {
    ...tag(
      'rubricBlock',
      { view, use: USE, class: 'transcript' },
      ...(is3 ? [tag('contentBody', {}, ...content)] : content),
    ),
    isExact: true,
  };
}

export function readTranscript(
  body: XmlElement,
  carried: ConversionContext,
): Pick<Question, 'transcript' | 'transcriptShown'> {
  const nodes = [...everyElement(body)].filter(isTranscript);
  const transcript = nodes
    .map((node) => (element(node, 'contentBody') ?? node).children)
    .map((children) => xmlToMarkdown(children, carried, { inline: false }))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
  if (transcript === '') return {};
  const isShown = nodes.every(({ attributes }) => /candidate/.test(attributes.get('view') ?? ''));
  return { transcript, ...(isShown ? { transcriptShown: true } : {}) };
}
