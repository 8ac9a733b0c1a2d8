import { excerptOf, type Collected } from '#interchange/collected.ts';
import { createPassageNotes } from '#interchange/items/passages.ts';
import { everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import { bodyText } from './body.ts';

/** A text that a section of a test shows with each of its items. */
export interface Rubric {
  readonly node: XmlElement;
  /** Path of the file that contains it. */
  readonly path: string;
}

/** A text that several items share, as Markdown. */
export interface SharedText {
  readonly text: string;
  readonly losses: readonly string[];
  /** Undefined: a text that the item itself references. */
  readonly rubric?: Rubric;
}

/** Converts a text and collects its losses. */
export function convertShared(
  node: XmlElement,
  picture: (src: string, loss: (line: string) => void) => string | null,
): SharedText {
  const losses = new Set<string>();
  const loss = (line: string) => losses.add(line);
  const text = bodyText(node, { loss, picture: (src) => picture(src, loss) });
  return { text, losses: [...losses] };
}

/** The first words of a rubric, so that a teacher recognizes it. */
export const rubricExcerpt = ({ node }: Rubric): string => excerptOf(textOf(node)) || 'картинка';

/** The rubrics of a package’s test and their use. */
export interface ReadRubrics {
  /** The text of a rubric, converted once for all of its items. */
  readonly textOf: (rubric: Rubric) => SharedText;
  /** Call when a question was added: the rubrics in it, and those that its losses report. */
  readonly used: (question: {
    readonly taken: readonly Rubric[];
    readonly left: readonly Rubric[];
  }) => void;
  /** Call at the end of the package. */
  readonly end: () => void;
}

/** A section that two test files include is read twice: its rubrics are identified by their content. */
const identityOf = ({ node, path }: Rubric): string =>
  JSON.stringify([
    path,
    textOf(node),
    ...[...everyElement(node)].flatMap(({ attributes }) => attributes.get('src') ?? []),
  ]);

export function readRubrics(
  rubrics: readonly Rubric[],
  found: Collected,
  pictures: (path: string) => Parameters<typeof convertShared>[1],
): ReadRubrics {
  const texts = new Map<XmlElement, SharedText>();
  const [taken, left] = [new Set<XmlElement>(), new Set<XmlElement>()];
  return {
    textOf: (rubric) => {
      const known = texts.get(rubric.node);
      if (known) return known;
      const text = { ...convertShared(rubric.node, pictures(rubric.path)), rubric };
      texts.set(rubric.node, text);
      return text;
    },
    used: (question) => {
      for (const { node } of question.taken) taken.add(node);
      for (const { node } of question.left) left.add(node);
    },
    end: () => {
      const note = createPassageNotes(found, 'вопросов к нему', 'вопросов к ним');
      const first = new Map<string, Rubric>();
      const [shown, reported] = [new Set<string>(), new Set<string>()];
      for (const rubric of rubrics) {
        const identity = identityOf(rubric);
        if (!first.has(identity)) first.set(identity, rubric);
        if (taken.has(rubric.node)) shown.add(identity);
        if (left.has(rubric.node)) reported.add(identity);
      }
      for (const [identity, rubric] of first) {
        const excerpt = rubricExcerpt(rubric);
        if (shown.has(identity)) note(excerpt, rubric.path);
        else if (!reported.has(identity) && !found.isFull())
          found.refuse(
            rubric.path,
            excerpt,
            'Это пояснение, на него не отвечают, и вопросов с ним в файле нет',
          );
      }
    },
  };
}
