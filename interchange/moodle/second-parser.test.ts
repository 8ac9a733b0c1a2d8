import fc from 'fast-check';
import { Window } from 'happy-dom';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import type { Gap, Question } from '#contract/questions.ts';
import { withGapPlaces } from '#domain/format-gaps.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { parseNumber } from '#domain/normalise.ts';
import { exportedTest, publishable } from '#interchange/testing/question-arbitrary.ts';
import { writeMoodleXml } from './write.ts';

/**
 * Reads our export like another system: by parsers of XML and HTML that the importer does not use, and by the
 * documented elements of Moodle alone. Texts are compared by their letters and digits, keys and shares exactly.
 */
const window = new Window();
const xml = new window.DOMParser();
const markdown = new MarkdownIt({ html: false });
// Our pictures have addresses that it would leave as text.
markdown.validateLink = () => true;

interface MarkupNode {
  readonly children: ArrayLike<MarkupNode>;
  readonly tagName: string;
  readonly textContent: string;
  readonly getAttribute: (name: string) => string | null;
}

const childrenOf = (node: MarkupNode, name: string) =>
  Array.from(node.children).filter(({ tagName }) => tagName === name);
const textIn = (node: MarkupNode, ...path: readonly string[]): string => {
  const [name, ...rest] = path;
  if (name === undefined) return node.textContent;
  const [child] = childrenOf(node, name);
  return child ? textIn(child, ...rest) : '';
};

const words = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '');
const line = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
function textOfHtml(html: string): string {
  const holder = window.document.createElement('div');
  holder.innerHTML = html;
  // The fallback text of a player.
  for (const player of holder.querySelectorAll('audio')) player.remove();
  return holder.textContent;
}
const wordsOfHtml = (html: string) => words(textOfHtml(html));
const wordsOf = (text: string | undefined) => wordsOfHtml(markdown.render(text ?? ''));
/** In a text of one line, the numbers of lists are words. */
const wordsOfLine = (text: string) => wordsOfHtml(markdown.renderInline(text));
const picturesOf = (text: string) => markdown.render(text).match(/<img\b/g)?.length ?? 0;

const share = (fraction: number) => Math.round(fraction * 1e4) / 1e4;

type Answer = readonly [text: string, share: number, feedback: string, tolerance?: number];

/**
 * An embedded answer as Moodle reads it: characters after a backslash or an ampersand do not separate, references are
 * characters, and a backslash is removed only before «}», «#» and, in typed answers, «*».
 */
const FIELD = /\{(\d*):([A-Z]+):([^]*?)(?<!\\)\}/g;
const decoded = (text: string) => textOfHtml(text).replaceAll(/\\([#}])/g, '$1');

function readField(weight: string, type: string, inside: string) {
  const answers = inside.split(/(?<!\\|&|&amp;)~/).map((alternative): Answer => {
    const [given = '', ...feedback] = alternative.split(/(?<!\\|&|&amp;)#/);
    const [, sign = '', percent, text = ''] = /^(=|%(-?[\d.]+)%|)([^]*)$/.exec(given) ?? [];
    const part = sign === '=' ? 1 : share(Number(percent ?? 0) / 100);
    const said = words(decoded(feedback.join('#')));
    if (type === 'NUMERICAL') {
      const [number = '', tolerance = '0'] = text.split(':');
      return [String(Number(number)), part, said, Number(tolerance)];
    }
    const shown = decoded(text);
    return [line(type === 'SHORTANSWER' ? shown.replaceAll('\\*', '*') : shown), part, said];
  });
  return { weight: Number(weight), type, answers };
}

function readAnswer(node: MarkupNode, text: string): Answer {
  const fraction = share(Number(node.getAttribute('fraction')) / 100);
  const feedback = wordsOfHtml(textIn(node, 'feedback', 'text'));
  const tolerance = childrenOf(node, 'tolerance').map((one) => Number(one.textContent));
  return [text, fraction, feedback, ...tolerance] as unknown as Answer;
}

function readQuestion(node: MarkupNode) {
  const type = node.getAttribute('type') ?? '';
  const html = textIn(node, 'questiontext', 'text');
  const shared = {
    points: Number(textIn(node, 'defaultgrade')),
    text: wordsOfHtml(type === 'cloze' ? html.replaceAll(FIELD, '') : html),
    pictures: html.match(/<(?:img|audio)\b[^>]*@@PLUGINFILE@@/g)?.length ?? 0,
    explanation: wordsOfHtml(textIn(node, 'generalfeedback', 'text')),
  };
  const answers = childrenOf(node, 'answer');
  switch (type) {
    case 'multichoice':
      return {
        ...shared,
        isSingle: textIn(node, 'single') === 'true',
        answers: answers.map((one) => readAnswer(one, wordsOfHtml(textIn(one, 'text')))),
      };
    case 'shortanswer':
      return {
        ...shared,
        answers: answers.map((one) =>
          readAnswer(one, line(textIn(one, 'text').replaceAll('\\*', '*'))),
        ),
      };
    case 'numerical':
      return {
        ...shared,
        answers: answers.map((one) => readAnswer(one, String(Number(textIn(one, 'text'))))),
      };
    case 'matching':
      return {
        ...shared,
        pairs: childrenOf(node, 'subquestion')
          .map((one) => [wordsOfHtml(textIn(one, 'text')), words(textIn(one, 'answer', 'text'))])
          .sort(),
      };
    case 'ordering':
      return {
        ...shared,
        items: answers
          .toSorted(
            (a, b) => Number(a.getAttribute('fraction')) - Number(b.getAttribute('fraction')),
          )
          .map((one) => wordsOfHtml(textIn(one, 'text'))),
      };
    case 'cloze':
      return {
        ...shared,
        // Moodle adds up the weights.
        points: 0,
        fields: [...html.matchAll(FIELD)].map(([, weight = '', name = '', inside = '']) =>
          readField(weight, name, inside),
        ),
      };
    default:
      return { ...shared, format: textIn(node, 'responseformat'), bytes: textIn(node, 'maxbytes') };
  }
}

/** The questions of a file, without categories and texts. */
const questionsIn = (bytes: Uint8Array): MarkupNode[] =>
  childrenOf(
    xml.parseFromString(new TextDecoder().decode(bytes), 'application/xml').documentElement,
    'question',
  ).filter((node) => !/^(?:category|description)$/.test(node.getAttribute('type') ?? ''));

function expectedField({ weight, ...gap }: Gap) {
  if (gap.input === 'choice')
    return {
      weight,
      type: 'MULTICHOICE',
      answers: gap.options.map(({ text, isRight, feedback }) => [
        line(text),
        isRight ? 1 : 0,
        wordsOf(feedback),
      ]),
    };
  const isNumber = gap.input === 'number';
  return {
    weight,
    type: isNumber ? 'NUMERICAL' : 'SHORTANSWER',
    answers: gap.accepted.map((one) => [
      isNumber ? String(parseNumber(one.text)) : line(one.text),
      share(one.share),
      wordsOf(one.feedback),
      ...(isNumber ? [one.tolerance ?? gap.tolerance] : []),
    ]),
  };
}

/** The expected properties of the kinds that are written. */
const EXPECTED: KindTable<Readonly<Record<string, unknown>>> = {
  variant({ options, multiple }) {
    const rights = options.filter(({ isRight }) => isRight).length;
    return {
      isSingle: !multiple,
      answers: options.map(({ text, isRight, feedback }) => [
        wordsOfLine(text),
        share((isRight ? 1 : multiple ? -1 : 0) / (multiple ? rights : 1)),
        wordsOf(feedback),
      ]),
    };
  },
  open({ accepted, input, tolerance }) {
    if (accepted.length === 0) return { format: 'plain', bytes: '' };
    const isNumber = accepted.every(({ text }) => parseNumber(text) !== null);
    const isNumerical =
      isNumber && (input === 'number' || accepted.some((one) => (one.tolerance ?? tolerance) > 0));
    return {
      answers: accepted.map((one) => [
        isNumerical ? String(parseNumber(one.text)) : line(one.text),
        share(one.share),
        wordsOf(one.feedback),
        ...(isNumerical ? [one.tolerance ?? tolerance] : []),
      ]),
    };
  },
  compliance({ left, right, pairs }) {
    const rightOf = new Map(pairs.map(({ leftId, rightId }) => [leftId, rightId]));
    const textOf = new Map(right.map(({ rightId, text }) => [rightId, wordsOfLine(text)]));
    const used = new Set(rightOf.values());
    return {
      pairs: [
        ...left.map(({ leftId, text }) => [
          wordsOfLine(text),
          textOf.get(rightOf.get(leftId) ?? ''),
        ]),
        ...right.flatMap(({ rightId }) => (used.has(rightId) ? [] : [['', textOf.get(rightId)]])),
      ].sort(),
    };
  },
  ordering: ({ items }) => ({ items: items.map(({ text }) => wordsOfLine(text)) }),
  gaps: ({ text, gaps }) => ({
    points: 0,
    text: wordsOf(withGapPlaces(text, () => ' ')),
    fields: gaps.map(expectedField),
  }),
  file: ({ maxBytes }) => ({ format: 'noinline', bytes: String(maxBytes) }),
};

const expected = (question: Question) => ({
  points: question.points,
  text: wordsOf(question.text),
  pictures: picturesOf(question.text),
  explanation: wordsOf(question.explanation),
  ...entryOf(EXPECTED, question)?.(question),
});

test('a second parser reads the same texts, keys, shares and feedback in an export of any test', async () => {
  let whole = 0;
  let all = 0;
  await fc.assert(
    fc.asyncProperty(exportedTest(publishable), async (given) => {
      const { bytes, losses } = await writeMoodleXml(given);
      const nodes = questionsIn(bytes);
      expect(nodes).toHaveLength(given.questions.length);
      const read = nodes.map(readQuestion);
      for (const [index, question] of given.questions.entries()) {
        all += 1;
        if (losses.some((one) => one.startsWith(`Вопрос ${index + 1}:`))) continue;
        whole += 1;
        expect(read[index]).toEqual(expected(question));
      }
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect(whole / all).toBeGreaterThan(0.2);
});

test('signs that Moodle gives a meaning inside of gaps are read as they are written', async () => {
  const texts = [
    'м/с',
    '«a» "b"',
    'x ~ y',
    'a & b &',
    'a = {1}',
    String.raw`C:\ `.trim(),
    '5 * 2',
    '# 1',
  ];
  const said = 'Верно: м/с ~ {1} # 2';
  const gap: Gap = {
    gapId: '1',
    weight: 1,
    input: 'line',
    tolerance: 0,
    accepted: texts.map((text) => ({ text, share: 1, feedback: said })),
  };
  const { bytes, losses } = await writeMoodleXml({
    title: 'Проверка',
    pictures: new Map(),
    questions: [{ questionId: '1', kind: 'gaps', text: 'Да [[1]]', points: 1, gaps: [gap] }],
  });
  expect(losses).toEqual([]);
  expect(questionsIn(bytes).map(readQuestion)).toMatchObject([
    { fields: [{ answers: texts.map((text) => [text, 1, words(said)]) }] },
  ]);
});
