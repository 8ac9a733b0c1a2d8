import type { Gap, Question } from '#contract/questions.ts';
import { gapIdsIn } from '#domain/format-gaps.ts';
import { parseNumber } from '#domain/normalise.ts';
import type { XhtmlPiece } from '#interchange/html/to-xhtml.ts';
import { coordsOf } from './areas.ts';
import { tag, type Written } from '#interchange/xml-writer.ts';

type Kind<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** The parts of one question, without those common to all items. */
export interface AnswerParts {
  readonly declarations: readonly Written[];
  /** After the text; null: the fields are in the text. */
  readonly interaction: Written | null;
  /** The field of each gap of the text. */
  readonly fields?: ReadonlyMap<string, Written>;
  readonly processing: Written | null;
  /** Cardinality of the feedback; absent: single. */
  readonly cardinality?: 'multiple' | 'single';
  /** Feedback by the identifier that the processing sets. */
  readonly feedback: readonly { readonly identifier: string; readonly text: string }[];
}

/** The picture of a question that is answered on it. */
export interface WrittenGraphic {
  readonly element: Written;
  readonly width: number;
  readonly height: number;
}

export interface WritingAnswers {
  readonly inline: (markdown: string) => readonly XhtmlPiece[];
  /** For places without markup. */
  readonly plain: (markdown: string) => string;
  readonly loss: (line: string) => void;
}

const RESPONSE = { responseIdentifier: 'RESPONSE' };
const TEMPLATES = 'http://www.imsglobal.org/question/qti_v2p1/rptemplates/';

/** A share of the points with enough digits for a round trip. */
const worth = (points: number) => String(Math.round(points * 1e9) / 1e9);

const baseValue = (baseType: string, value: string) => tag('baseValue', { baseType }, value);
const variable = tag('variable', { identifier: 'RESPONSE' });
const sets = (identifier: string, value: Written) => tag('setOutcomeValue', { identifier }, value);
const score = (points: number) => sets('SCORE', baseValue('float', worth(points)));

function declaration(
  cardinality: string,
  baseType: string,
  correct: readonly string[],
  mapping: Written | null,
  identifier = 'RESPONSE',
): Written {
  return tag(
    'responseDeclaration',
    { identifier, cardinality, baseType },
    correct.length > 0
      ? tag('correctResponse', {}, ...correct.map((value) => tag('value', {}, value)))
      : null,
    mapping,
  );
}

const mappingOf = (
  upperBound: number,
  entries: readonly { key: string; value: number; isText?: boolean }[],
) =>
  tag(
    'mapping',
    { lowerBound: '0', upperBound: worth(upperBound), defaultValue: '0' },
    ...entries.map(({ key, value, isText }) =>
      tag('mapEntry', {
        mapKey: key,
        mappedValue: worth(value),
        caseSensitive: isText ? 'false' : undefined,
      }),
    ),
  );

const template = (name: string) => tag('responseProcessing', { template: `${TEMPLATES}${name}` });
const rule = (...parts: readonly Written[]) =>
  tag('responseCondition', {}, tag('responseIf', {}, ...parts));
const mapped = sets('SCORE', tag('mapResponse', { identifier: 'RESPONSE' }));

/** Areas to tap on; their names are plain text. */
function hotspots(
  { options, multiple }: Kind<'variant'>,
  identifiers: readonly string[],
  { element, ...size }: WrittenGraphic,
  { plain }: WritingAnswers,
): Written {
  return tag(
    'hotspotInteraction',
    { ...RESPONSE, maxChoices: multiple ? '0' : '1' },
    element,
    ...options.map(({ text, area }, index) =>
      tag('hotspotChoice', {
        identifier: identifiers[index],
        ...(area && coordsOf(area, size)),
        hotspotLabel: plain(text),
      }),
    ),
  );
}

export function choiceParts(
  question: Kind<'variant'>,
  writing: WritingAnswers,
  graphic: WrittenGraphic | null,
): AnswerParts {
  const { options, points, multiple, scoring, shuffle } = question;
  const identifiers = options.map((_, index) => `C${index + 1}`);
  const right = identifiers.filter((_, index) => options[index]?.isRight);
  if (right.length === 0) writing.loss('верный вариант не отмечен');
  if (!multiple && right.length > 1)
    writing.loss('верным при одном выборе останется первый вариант');
  const correct = multiple ? right : right.slice(0, 1);
  const cardinality = multiple ? 'multiple' : 'single';
  const isWhole = multiple && scoring === 'allOrNothing';
  const each = points / Math.max(1, correct.length);
  const hasFeedback = options.some(({ feedback }) => feedback);
  const mapping =
    isWhole || correct.length === 0
      ? null
      : mappingOf(
          points,
          identifiers.map((key) => ({
            key,
            value: correct.includes(key) ? each : multiple ? -each : 0,
          })),
        );
  const tell = hasFeedback ? [sets('FEEDBACK', variable)] : [];
  const matched = rule(
    tag('match', {}, variable, tag('correct', { identifier: 'RESPONSE' })),
    score(points),
  );
  return {
    declarations: [declaration(cardinality, 'identifier', correct, mapping)],
    cardinality,
    interaction: graphic
      ? hotspots(question, identifiers, graphic, writing)
      : tag(
          'choiceInteraction',
          { ...RESPONSE, shuffle: String(shuffle), maxChoices: multiple ? '0' : '1' },
          ...options.map((option, index) => ({
            ...tag(
              'simpleChoice',
              { identifier: identifiers[index] },
              ...writing.inline(option.text),
            ),
            isExact: true,
          })),
        ),
    processing: hasFeedback
      ? tag('responseProcessing', {}, isWhole ? matched : mapped, ...tell)
      : isWhole
        ? tag('responseProcessing', {}, matched)
        : template('map_response'),
    feedback: options.flatMap(({ feedback }, index) =>
      feedback ? [{ identifier: identifiers[index] ?? '', text: feedback }] : [],
    ),
  };
}

/** Whether a typed answer is an accepted one. */
function compared(typed: Written, text: string, isNumeric: boolean, tolerance: number): Written {
  if (!isNumeric)
    return tag('stringMatch', { caseSensitive: 'false' }, typed, baseValue('string', text));
  const mode =
    tolerance === 0
      ? { toleranceMode: 'exact' }
      : { toleranceMode: 'absolute', tolerance: `${tolerance} ${tolerance}` };
  return tag('equal', mode, typed, baseValue('float', text));
}

export function openParts(question: Kind<'open'>, writing: WritingAnswers): AnswerParts {
  const { accepted, input, points } = question;
  const tolerances = accepted.map((answer) => answer.tolerance ?? question.tolerance);
  const isNumeric =
    accepted.every(({ text }) => parseNumber(text) !== null) &&
    (input === 'number' || tolerances.some((value) => value > 0));
  if (!isNumeric && tolerances.some((value) => value > 0))
    writing.loss('допуск не переносится: ответы – не числа');
  const baseType = isNumeric ? 'float' : 'string';
  const texts = accepted.map(({ text }) => (isNumeric ? String(parseNumber(text)) : text));
  const natural = isNumeric ? 'number' : 'line';
  const token = input === natural || input === 'text' ? undefined : `input-${input}`;
  const interaction =
    input === 'text'
      ? tag('extendedTextInteraction', { ...RESPONSE, expectedLines: '5' })
      : tag(
          'p',
          {},
          tag('textEntryInteraction', { ...RESPONSE, class: token, expectedLength: '30' }),
        );
  if (accepted.length === 0)
    return {
      declarations: [declaration('single', baseType, [], null)],
      interaction,
      processing: null,
      feedback: [],
    };
  const feedback = accepted.flatMap((answer, index) =>
    answer.feedback ? [{ identifier: `ANSWER_${index + 1}`, text: answer.feedback }] : [],
  );
  const isMapped = feedback.length === 0 && tolerances.every((value) => value === 0) && !isNumeric;
  const branches = texts.map((text, index) => {
    const own = feedback.find(({ identifier }) => identifier === `ANSWER_${index + 1}`);
    return tag(
      index === 0 ? 'responseIf' : 'responseElseIf',
      {},
      compared(variable, text, isNumeric, tolerances[index] ?? 0),
      score(points * (accepted[index]?.share ?? 0)),
      own ? sets('FEEDBACK', baseValue('identifier', own.identifier)) : null,
    );
  });
  const best = Math.max(...accepted.map(({ share }) => share));
  const correct = texts.filter((_, index) => accepted[index]?.share === best).slice(0, 1);
  const entries = texts.map((key, index) => ({
    key,
    value: points * (accepted[index]?.share ?? 0),
    isText: true,
  }));
  return {
    declarations: [
      declaration('single', baseType, correct, isMapped ? mappingOf(points, entries) : null),
    ],
    interaction,
    processing: isMapped
      ? template('map_response')
      : tag('responseProcessing', {}, tag('responseCondition', {}, ...branches)),
    feedback,
  };
}

export function matchParts(question: Kind<'compliance'>, writing: WritingAnswers): AnswerParts {
  const { left, right, pairs, points, shuffle, reuse } = question;
  const leftName = new Map(left.map(({ leftId }, index) => [leftId, `L${index + 1}`]));
  const rightName = new Map(right.map(({ rightId }, index) => [rightId, `R${index + 1}`]));
  const keys = pairs.map(
    ({ leftId, rightId }) => `${leftName.get(leftId) ?? 'L0'} ${rightName.get(rightId) ?? 'R0'}`,
  );
  if (pairs.length < left.length) writing.loss('у строк слева нет пары');
  const each = points / Math.max(1, pairs.length);
  const set = (choices: readonly { name: string | undefined; text: string; most: number }[]) =>
    tag(
      'simpleMatchSet',
      {},
      ...choices.map(({ name, text, most }) => ({
        ...tag(
          'simpleAssociableChoice',
          { identifier: name, matchMax: String(most) },
          ...writing.inline(text),
        ),
        isExact: true,
      })),
    );
  return {
    declarations: [
      declaration(
        'multiple',
        'directedPair',
        keys,
        keys.length === 0
          ? null
          : mappingOf(
              points,
              keys.map((key) => ({ key, value: each })),
            ),
      ),
    ],
    interaction: tag(
      'matchInteraction',
      { ...RESPONSE, shuffle: String(shuffle), maxAssociations: String(left.length) },
      set(left.map(({ leftId, text }) => ({ name: leftName.get(leftId), text, most: 1 }))),
      set(
        right.map(({ rightId, text }) => ({
          name: rightName.get(rightId),
          text,
          most: reuse ? left.length : 1,
        })),
      ),
    ),
    processing: template('map_response'),
    feedback: [],
  };
}

export function orderParts(
  { items, points }: Kind<'ordering'>,
  writing: WritingAnswers,
): AnswerParts {
  const identifiers = items.map((_, index) => `I${index + 1}`);
  writing.loss('балл за часть порядка не переносится: в других системах здесь всё или ничего');
  return {
    declarations: [declaration('ordered', 'identifier', identifiers, null)],
    interaction: tag(
      'orderInteraction',
      { ...RESPONSE, shuffle: 'true' },
      ...items.map(({ text }, index) => ({
        ...tag('simpleChoice', { identifier: identifiers[index] }, ...writing.inline(text)),
        isExact: true,
      })),
    ),
    processing: tag(
      'responseProcessing',
      {},
      rule(tag('match', {}, variable, tag('correct', { identifier: 'RESPONSE' })), score(points)),
    ),
    feedback: [],
  };
}

/** The amount that a gap adds to the score. */
const adds = (value: Written) =>
  sets('SCORE', tag('sum', {}, tag('variable', { identifier: 'SCORE' }), value));

interface GapParts {
  readonly declaration: Written;
  readonly field: Written;
  readonly processing: Written;
}

function choiceGapParts(
  gap: Extract<Gap, { input: 'choice' }>,
  points: number,
  responseIdentifier: string,
): GapParts {
  const identifiers = gap.options.map((_, index) => `C${index + 1}`);
  const right = identifiers.filter((_, index) => gap.options[index]?.isRight);
  const entries = right.map((key) => ({ key, value: points }));
  return {
    declaration: declaration(
      'single',
      'identifier',
      // A response with one value has one right answer; the mapping contains all of them.
      right.length === 1 ? right : [],
      entries.length === 0 ? null : mappingOf(points, entries),
      responseIdentifier,
    ),
    field: tag(
      'inlineChoiceInteraction',
      { responseIdentifier, shuffle: 'false' },
      ...gap.options.map(({ text }, index) =>
        tag('inlineChoice', { identifier: identifiers[index] }, text),
      ),
    ),
    processing: adds(tag('mapResponse', { identifier: responseIdentifier })),
  };
}

function typedGapParts(
  gap: Exclude<Gap, { input: 'choice' }>,
  points: number,
  responseIdentifier: string,
  writing: WritingAnswers,
): GapParts {
  const { accepted, input } = gap;
  const tolerances = accepted.map(({ tolerance = gap.tolerance }) => tolerance);
  const isNumeric =
    accepted.every(({ text }) => parseNumber(text) !== null) &&
    (input === 'number' || tolerances.some((value) => value > 0));
  if (!isNumeric && tolerances.some((value) => value > 0))
    writing.loss('допуск не переносится: ответы – не числа');
  if (!accepted.some(({ share }) => share === 1))
    writing.loss('ни один ответ в пропуске не даёт весь его балл: вес пропусков изменится');
  const own = tag('variable', { identifier: responseIdentifier });
  const branches = accepted.map(({ text, share }, index) =>
    tag(
      index === 0 ? 'responseIf' : 'responseElseIf',
      {},
      compared(
        own,
        isNumeric ? String(parseNumber(text)) : text,
        isNumeric,
        tolerances[index] ?? 0,
      ),
      adds(baseValue('float', worth(points * share))),
    ),
  );
  return {
    declaration: declaration(
      'single',
      isNumeric ? 'float' : 'string',
      [],
      null,
      responseIdentifier,
    ),
    field: tag('textEntryInteraction', {
      responseIdentifier,
      class: `gap-${gap.gapId} input-${input}`,
      expectedLength: '15',
    }),
    processing: tag('responseCondition', {}, ...branches),
  };
}

export function gapsParts(
  { text, gaps, points }: Kind<'gaps'>,
  writing: WritingAnswers,
): AnswerParts {
  const places = gapIdsIn(text);
  if (gaps.some(({ gapId }) => !places.includes(gapId)))
    writing.loss('пропуски, которых нет в тексте, не переносятся');
  const hasFeedback = ({ feedback }: { readonly feedback?: string | undefined }) =>
    Boolean(feedback);
  if (gaps.some((gap) => gap.input === 'choice' && gap.options.some(hasFeedback)))
    writing.loss('отзывы на варианты в пропусках не переносятся');
  if (gaps.some((gap) => gap.input !== 'choice' && gap.accepted.some(hasFeedback)))
    writing.loss('отзывы на ответы в пропусках не переносятся');
  const whole = gaps.reduce((sum, { weight }) => sum + weight, 0);
  const placed = gaps.filter(({ gapId }) => places.includes(gapId));
  const parts = placed.map((gap) => {
    const own = (points * gap.weight) / whole;
    const identifier = `RESPONSE_${gap.gapId}`;
    return gap.input === 'choice'
      ? choiceGapParts(gap, own, identifier)
      : typedGapParts(gap, own, identifier, writing);
  });
  return {
    declarations: parts.map((part) => part.declaration),
    interaction: null,
    fields: new Map(placed.map(({ gapId }, index) => [gapId, parts[index]?.field ?? tag('gap')])),
    processing: tag('responseProcessing', {}, ...parts.map((part) => part.processing)),
    feedback: [],
  };
}

export function uploadParts({ accept, maxBytes, maxFiles }: Kind<'file'>): AnswerParts {
  const type = accept.find((one) => one.includes('/'));
  const own = [
    `max-bytes-${maxBytes}`,
    ...(maxFiles === undefined ? [] : [`max-files-${maxFiles}`]),
    ...accept.map((one) => `accept-${one}`),
  ];
  return {
    declarations: [declaration('single', 'file', [], null)],
    interaction: tag('uploadInteraction', {
      ...RESPONSE,
      class: own.join(' '),
      type: accept.length === 1 ? type : undefined,
    }),
    processing: null,
    feedback: [],
  };
}
