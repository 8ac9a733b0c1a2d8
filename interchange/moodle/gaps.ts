import type { Gap } from '#contract/questions.ts';
import { element, elements, textOf, type XmlElement } from '#interchange/xml.ts';
import { MAX_HTML_CHARACTERS } from '#interchange/html/to-markdown.ts';
import { plainWord, WORDS_STAY } from '#interchange/items/gaps.ts';
import { gapMark } from '#domain/format-gaps.ts';
import { ClozeProblem, readCloze } from './cloze.ts';
import { amount, readText, TooLong, type MoodleReading } from './texts.ts';

/** A question with fields in its text: the text with marks in their positions, and the gaps. */
export interface MarkedQuestion {
  readonly source: XmlElement;
  readonly gaps: Gap[];
  readonly points: number;
}

type Mark = (
  html: string,
  question: XmlElement,
  reading: MoodleReading,
) => { html: string; gaps: Gap[] };

const WORD = /\[\[(\d{1,3})\]\]/g;

interface Word {
  readonly text: string;
  readonly group: string;
  /** In Moodle such a word disappears from the list once it is used in a gap. */
  readonly isForOneGap: boolean;
}

/** Lists of words: `[[2]]` is the position of the second word. A student chooses from all words of its group. */
const fromWords =
  (name: 'selectoption' | 'dragbox'): Mark =>
  (html, question, reading) => {
    const words: Word[] = elements(question, name).map((one) => ({
      text: plainWord(readText(one), reading.loss),
      group: textOf(element(one, 'group')).trim() || textOf(element(one, 'draggroup')).trim(),
      isForOneGap: name === 'dragbox' && !element(one, 'infinite'),
    }));
    const gaps: Gap[] = [];
    const marked = html.replaceAll(WORD, (place: string, number: string) => {
      const right = words[Number(number) - 1];
      if (!right) {
        reading.loss(`В тексте есть ${place}, а такого слова нет: исправьте место в редакторе`);
        return place;
      }
      const gapId = String(gaps.length + 1);
      const texts = words.filter(({ group }) => group === right.group).map(({ text }) => text);
      const options = [...new Set(texts)].map((text) => ({
        optionId: reading.newId(),
        text,
        isRight: text === right.text,
      }));
      gaps.push({ gapId, weight: 1, input: 'choice', options });
      return gapMark(gapId);
    });
    if (gaps.length > 1 && words.some(({ isForOneGap }) => isForOneGap)) reading.loss(WORDS_STAY);
    return { html: marked, gaps };
  };

/** Readers by Moodle’s name of a type. */
const MARKS: Readonly<Record<string, Mark | undefined>> = {
  cloze: (html, _, reading) => readCloze(html, reading),
  multianswer: (html, _, reading) => readCloze(html, reading),
  gapselect: fromWords('selectoption'),
  ddwtos: fromWords('dragbox'),
};

const withText = (question: XmlElement, html: string): XmlElement => ({
  ...question,
  children: question.children.map((child) =>
    typeof child === 'string' || child.name !== 'questiontext'
      ? child
      : {
          ...child,
          children: child.children.map((inner) =>
            typeof inner === 'string' || inner.name !== 'text'
              ? inner
              : { ...inner, children: [html] },
          ),
        },
  ),
});

/** Whether questions of a type have fields in their text. */
export const hasGaps = (type: string): boolean => Object.hasOwn(MARKS, type);

/**
 * The question with marks at the fields of its text.
 * @throws {ClozeProblem} its fields have no counterpart here
 * @throws {TooLong}
 */
export function markGaps(question: XmlElement, reading: MoodleReading): MarkedQuestion {
  const type = question.attributes.get('type') ?? '';
  const mark = MARKS[type];
  if (!mark) throw new ClozeProblem(`Вопросы типа «${type.slice(0, 40)}» здесь не читаются`);
  const html = readText(element(question, 'questiontext'));
  if (html.length > MAX_HTML_CHARACTERS) throw new TooLong();
  const marked = mark(html, question, reading);
  if (marked.gaps.length === 0)
    throw new ClozeProblem('Полей для ответа в тексте нет: это не вопрос, а текст');
  // Embedded answers state their points themselves; some files contain no other points.
  const sum = marked.gaps.reduce((total, { weight }) => total + weight, 0);
  const given = amount(question, 'defaultgrade', sum);
  const points = given === 0 && type === 'cloze' ? sum : given;
  return { source: withText(question, marked.html), gaps: marked.gaps, points };
}
