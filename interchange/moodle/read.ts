import type { Question } from '#contract/questions.ts';
import { collecting, excerptOf, type Collected } from '#interchange/collected.ts';
import { fitted } from '#interchange/fitted.ts';
import { fromBase64, importPicture, namedFile } from '#interchange/items/pictures.ts';
import { plainXhtml } from '#interchange/html/to-xhtml.ts';
import { withMarkedGaps } from '#interchange/items/gaps.ts';
import { readPassages, type ReadPassages } from '#interchange/items/passages.ts';
import { ownTitle } from '#interchange/items/titles.ts';
import { UnreadableFile, type Reader, type Tools } from '#interchange/model.ts';
import { element, elements, readXml, textOf, type XmlElement } from '#interchange/xml.ts';
import { ClozeProblem } from './cloze.ts';
import { hasGaps, markGaps } from './gaps.ts';
import { KINDS, excerpt, reportCommon, type Base } from './kinds.ts';
import { TooLong, amount, fieldText, readText, type MoodleReading } from './texts.ts';
import { difficultyOfTag, isDefaultDescription, refusal, topicOf } from './messages.ts';

const BLOCK = { inline: false };
const MAX_DESCRIPTIONS = 5;

function authored(question: XmlElement, topic: string | undefined, reading: MoodleReading): Base {
  const tags = elements(element(question, 'tags') ?? question, 'tag').map(readText);
  const difficulty = tags.map(difficultyOfTag).find((found) => found !== undefined);
  const text = [
    fieldText(element(question, 'questiontext'), reading, BLOCK),
    oldPicture(question, reading),
  ]
    .filter(Boolean)
    .join('\n\n');
  const explanation = fieldText(element(question, 'generalfeedback'), reading, BLOCK);
  const title = ownTitle(readText(element(question, 'name')), text);
  const own = tags.filter((tag) => difficultyOfTag(tag) === undefined);
  return {
    questionId: reading.newId(),
    text,
    points: amount(question, 'defaultgrade', 1),
    ...(explanation === '' ? {} : { explanation }),
    ...(title === undefined ? {} : { title }),
    ...(topic === undefined ? {} : { topic }),
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(own.length === 0 ? {} : { tags: own }),
  };
}

/** Moodle 1.x stored one picture beside the text. */
function oldPicture(question: XmlElement, { newId, picture, loss }: MoodleReading): string {
  const data = textOf(element(question, 'image_base64')).trim();
  const name = textOf(element(question, 'image')).trim();
  if (data === '') {
    if (name !== '') loss(`${namedFile(name)} лежит не в файле и не перенесена`);
    return '';
  }
  const imported = importPicture(fromBase64(data), name, newId, picture);
  if ('key' in imported) return `![](file:${imported.key})`;
  loss(imported.loss);
  return '';
}

function gapsOf(source: XmlElement, topic: string | undefined, reading: MoodleReading): Question {
  const marked = markGaps(source, reading);
  const base = authored(marked.source, topic, reading);
  return {
    ...base,
    text: withMarkedGaps(base.text),
    points: marked.points,
    kind: 'gaps',
    gaps: marked.gaps,
  };
}

/** Common properties of the alternatives made from one question of the file. */
interface Group {
  readonly variantOf?: string;
  readonly losses: readonly string[];
}

function readOne(
  source: XmlElement,
  place: string,
  topic: string | undefined,
  { found, tools, passages }: { found: Collected; tools: Tools; passages: ReadPassages },
  { losses: ofGroup, ...group }: Group = { losses: [] },
): void {
  const type = source.attributes.get('type') ?? '';
  const losses = new Set<string>(ofGroup);
  const reading: MoodleReading = {
    newId: tools.newId,
    picture: found.picture,
    loss: (line) => losses.add(line),
  };
  const read = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (type !== 'description' && !read && !hasGaps(type)) {
    found.refuse(place, excerpt(source), refusal(type));
    return;
  }
  try {
    if (type === 'description') {
      const text = fieldText(element(source, 'questiontext'), reading, BLOCK);
      passages.begin({ place, text, reason: refusal(type) });
      losses.forEach(found.note);
      return;
    }
    reportCommon(source, reading);
    const question: Question = {
      ...(read
        ? read(source, authored(source, topic, reading), reading)
        : gapsOf(source, topic, reading)),
      ...passages.shown(),
      ...group,
      origin: { kind: 'import', format: 'moodleXml' },
    };
    const fit = fitted(question);
    if ('reason' in fit) found.refuse(place, excerpt(source), fit.reason);
    else {
      found.add({ question: fit.question, place, losses: [...losses, ...fit.losses] });
      passages.used();
    }
  } catch (error) {
    if (error instanceof ClozeProblem) {
      found.refuse(place, excerpt(source), error.message);
      return;
    }
    if (!(error instanceof TooLong)) throw error;
    // The following questions do not belong to the text before it.
    if (type === 'description') passages.end();
    found.refuse(place, excerpt(source), 'Текст слишком длинный. Разделите его на части');
  }
}

/** A category's description, unless Moodle wrote it for its default category. */
function describedCategory(category: XmlElement, topic: string | undefined): string | null {
  const said = excerptOf(
    plainXhtml(readText(element(category, 'info')).replaceAll(/<[^>]*>/g, ' ')),
  );
  const isOwn = said !== '' && topic !== undefined && !isDefaultDescription(said);
  return isOwn ? `Описание категории «${topic}» не переносится: ${said}` : null;
}

const isCalculated = (question: XmlElement) =>
  /^calculated(?:simple|multi)?$/.test(question.attributes.get('type') ?? '');

/** Reads Moodle's export of questions («Формат Moodle XML»). @throws {UnreadableFile} */
export const readMoodleXml: Reader = async (file, tools) => {
  const { root, note } = readXml(file.bytes);
  const questions = root.name === 'question' ? [root] : elements(root, 'question');
  if ((root.name !== 'quiz' && root.name !== 'question') || questions.length === 0)
    throw new UnreadableFile(
      'В файле нет вопросов Moodle. В Moodle выберите «Экспорт» и «Формат Moodle XML».',
    );
  const hasCalculated = questions.some(isCalculated);
  const calculated = hasCalculated ? await import('./calculated.ts') : null;
  const found = collecting('moodleXml', tools);
  found.note(note);
  let topic: string | undefined;
  const passages = readPassages(found, tools.newId);
  let isRetried = false;
  let described = 0;
  for (const question of questions) {
    if (found.isFull()) break;
    if (question.attributes.get('type') === 'category') {
      passages.end();
      topic = topicOf(readText(element(question, 'category')));
      const description = describedCategory(question, topic);
      if (description !== null) described += 1;
      if (described <= MAX_DESCRIPTIONS) found.note(description);
      continue;
    }
    isRetried ||= amount(question, 'penalty', 0) > 0;
    const place = `строка ${question.line}`;
    if (!calculated || !isCalculated(question)) {
      readOne(question, place, topic, { found, tools, passages });
      continue;
    }
    const rows = calculated.fillRows(question);
    if ('reason' in rows) {
      found.refuse(place, excerpt(question), rows.reason);
      continue;
    }
    const group = rows.questions.length > 1 ? { variantOf: tools.newId() } : {};
    for (const one of rows.questions)
      readOne(one, place, topic, { found, tools, passages }, { ...group, losses: rows.losses });
  }
  if (described > MAX_DESCRIPTIONS)
    found.note(`Не переносятся описания и других категорий: ${described - MAX_DESCRIPTIONS}`);
  if (isRetried)
    found.note('Штрафы за повторные попытки не переносятся: на вопрос здесь отвечают один раз');
  passages.end();
  return found.done();
};
