import { FILE_BYTES, MAX_FILES_PER_QUESTION } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { parseNumber } from '#domain/normalise.ts';
import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { plainXhtml } from '#interchange/html/to-xhtml.ts';
import { maxFilesIn } from '#interchange/items/max-files.ts';
import { element, elements, textOf, type XmlElement } from '#interchange/xml.ts';
import { amount, fieldText, flag, readText, type MoodleReading } from './texts.ts';
import { acceptOf, isDefaultFeedback } from './messages.ts';

export type Base = Pick<
  Question,
  'questionId' | 'text' | 'points' | 'explanation' | 'title' | 'topic' | 'difficulty' | 'tags'
>;
type Read = (question: XmlElement, base: Base, reading: MoodleReading) => Question;

/** The share of the points, from −1 to 1, without the rounding error of decimal fractions. */
function fraction(answer: XmlElement): number {
  const percent = Number((answer.attributes.get('fraction') ?? '0').replace(',', '.'));
  return Number.isFinite(percent) ? Math.round(percent * 1e5) / 1e7 : 0;
}

const INLINE = { inline: true };
const BLOCK = { inline: false };

function feedbackOf(answer: XmlElement, reading: MoodleReading): { feedback?: string } {
  const feedback = fieldText(element(answer, 'feedback'), reading, BLOCK);
  return feedback === '' ? {} : { feedback };
}

export function reportCommon(question: XmlElement, { loss }: MoodleReading): void {
  for (const name of ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback']) {
    const field = element(question, name);
    const said = readText(field).includes('<')
      ? readText(field).replaceAll(/<[^>]*>/g, '')
      : readText(field);
    if (!isDefaultFeedback(said.trim()))
      loss('Общие отзывы на верный, частично верный и неверный ответ не переносятся');
  }
  if (flag(question, 'hidden', false)) loss('В Moodle вопрос был скрыт: проверьте, нужен ли он');
  if (textOf(element(question, 'idnumber')).trim() !== '')
    loss('Номер вопроса из Moodle (ID number) не переносится');
  if (elements(question, 'hint').some((hint) => readText(hint) !== ''))
    loss('Подсказки между попытками не переносятся');
}

const near = (a: number, b: number) => Math.abs(a - b) < 0.002;

function reportMultiple(shares: readonly number[], { loss }: MoodleReading): void {
  const right = shares.filter((share) => share > 0);
  const wrong = shares.filter((share) => share <= 0);
  const each = 1 / Math.max(1, right.length);
  if (!right.every((share) => near(share, each)))
    loss('Доли верных вариантов были другими: здесь они равны и вместе дают весь балл');
  if (!wrong.every((share) => near(share, -each)))
    loss('Неверный вариант снимает столько, сколько даёт верный; в Moodle было иначе');
}

const multichoice: Read = (question, base, reading) => {
  const answers = elements(question, 'answer');
  const shares = answers.map(fraction);
  const isSet = question.attributes.get('type') === 'multichoiceset';
  // The Open University's type: each right answer earns the same share.
  const isEqual = question.attributes.get('type') === 'oumultiresponse';
  const multiple = isSet || isEqual || !flag(question, 'single', true);
  const best = shares.indexOf(Math.max(0.000_01, ...shares));
  const isRight = (index: number) => (multiple ? (shares[index] ?? 0) > 0 : index === best);
  if (!shares.some((share) => share > 0)) reading.loss('Верный вариант не отмечен');
  else if (isEqual)
    reading.loss('Неверный вариант снимает столько, сколько даёт верный; в Moodle было иначе');
  else if (multiple && !isSet) reportMultiple(shares, reading);
  else if (
    !multiple &&
    (!near(Math.max(...shares), 1) || shares.some((share, index) => index !== best && share > 0))
  )
    reading.loss('Верным остался один вариант с наибольшей долей; доли остальных не переносятся');
  else if (!multiple && shares.some((share) => share < 0))
    reading.loss('Штраф за неверный вариант не переносится');
  return {
    ...base,
    kind: 'variant',
    multiple,
    shuffle: flag(question, 'shuffleanswers', false),
    scoring: isSet ? 'allOrNothing' : 'partial',
    options: answers.map((answer, index) => ({
      optionId: reading.newId(),
      text: fieldText(answer, reading, INLINE),
      isRight: isRight(index),
      ...feedbackOf(answer, reading),
    })),
  };
};

const TRUE = /^(?:true|верно|да|правда|истина|правильно|дұрыс)$/i;
const FALSE = /^(?:false|неверно|нет|ложь|неправильно|бұрыс)$/i;

const truefalse: Read = (question, base, reading) => {
  const answers = elements(question, 'answer');
  // For other words Moodle assumes that the first answer is «true».
  const isTrue = (answer: XmlElement, index: number) =>
    TRUE.test(readText(answer)) || (!FALSE.test(readText(answer)) && index === 0);
  const option = (truth: boolean, text: string) => {
    const answer = answers.find((one, index) => isTrue(one, index) === truth);
    return {
      optionId: reading.newId(),
      text,
      isRight: answer !== undefined && fraction(answer) > 0,
      ...(answer ? feedbackOf(answer, reading) : {}),
    };
  };
  const options = [option(true, 'Верно'), option(false, 'Неверно')];
  if (answers.some((one) => !TRUE.test(readText(one)) && !FALSE.test(readText(one))))
    reading.loss(
      'Ответы названы не «верно» и «неверно»: первый принят за «Верно», как в Moodle. Проверьте',
    );
  if (!options.some(({ isRight }) => isRight)) reading.loss('Верный вариант не отмечен');
  return {
    ...base,
    kind: 'variant',
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    options,
  };
};

/** Answers with a positive share; the others are reported. */
function giving(question: XmlElement, { loss }: MoodleReading): readonly XmlElement[] {
  const answers = elements(question, 'answer');
  const right = answers.filter((answer) => fraction(answer) > 0);
  const others = answers.filter((answer) => fraction(answer) <= 0);
  if (others.some((answer) => readText(element(answer, 'feedback')) !== ''))
    loss('Отзывы на неверные ответы не переносятся');
  else if (others.some((answer) => readText(answer) !== '*'))
    loss('Ответы с нулевой долей не переносятся');
  return right;
}

const shortanswer: Read = (question, base, reading) => {
  if (flag(question, 'usecase', false))
    reading.loss('Заглавные и строчные буквы здесь не различаются');
  const accepted = giving(question, reading).flatMap((answer) => {
    const text = readText(answer);
    if (/(?<!\\)\*/.test(text)) {
      reading.loss(
        `Ответ со звёздочкой «${text.slice(0, 60)}» не переносится: впишите ответы целиком`,
      );
      return [];
    }
    return [
      {
        text: text.replaceAll('\\*', '*'),
        share: Math.min(1, fraction(answer)),
        ...feedbackOf(answer, reading),
      },
    ];
  });
  if (accepted.length === 0)
    reading.loss('Верных ответов не осталось: ответ проверит преподаватель');
  return { ...base, kind: 'open', input: 'line', accepted, tolerance: 0 };
};

const numerical: Read = (question, base, reading) => {
  if (elements(question, 'units').some((units) => elements(units, 'unit').length > 0))
    reading.loss('Единицы измерения не переносятся: напишите в тексте, в чём дать ответ');
  const answers = giving(question, reading).flatMap((answer) => {
    const text = readText(answer);
    if (parseNumber(text) === null) {
      reading.loss(`Ответ «${text.slice(0, 60)}» – не число, он не перенесён`);
      return [];
    }
    const within = textOf(element(answer, 'tolerance')).trim();
    const tolerance = Math.abs(amount(answer, 'tolerance', 0));
    if (within !== '' && !Number.isFinite(Number(within.replace(',', '.'))))
      reading.loss(`Допуск «${within.slice(0, 40)}» не прочитан: ответ принимается точно`);
    return [
      { text, share: Math.min(1, fraction(answer)), tolerance, ...feedbackOf(answer, reading) },
    ];
  });
  if (answers.length === 0)
    reading.loss('Верных ответов не осталось: ответ проверит преподаватель');
  const [first] = answers;
  const tolerance = first?.tolerance ?? 0;
  const accepted = answers.map(({ tolerance: own, ...answer }) =>
    own === tolerance ? answer : { ...answer, tolerance: own },
  );
  return { ...base, kind: 'open', input: 'number', accepted, tolerance };
};

/** Right sides are plain text. Moodle removes the tags that some files have in it. */
const TAGGED = /<\/?[a-z][^<>]{0,2000}>|&(?:[a-z]{2,8}|#\d{1,6});/i;

const matching: Read = (question, base, reading) => {
  const left: { leftId: string; text: string }[] = [];
  const right = new Map<string, { rightId: string; text: string }>();
  const pairs: { leftId: string; rightId: string }[] = [];
  for (const sub of elements(question, 'subquestion')) {
    const node = element(sub, 'answer');
    // Pasted pictures have the same name in each text.
    const files = node ? elements(node, 'file').map((file) => textOf(file)) : [];
    const answer = readText(node);
    const same = [answer, ...files].join('\n');
    const side = right.get(same) ?? {
      rightId: reading.newId(),
      text: TAGGED.test(answer)
        ? fieldText(node, reading, INLINE, 'html')
        : plainToMarkdown(answer, INLINE),
    };
    if (answer !== '') right.set(same, side);
    const text = fieldText(sub, reading, INLINE);
    if (text === '') continue;
    const leftId = reading.newId();
    left.push({ leftId, text });
    if (answer !== '') pairs.push({ leftId, rightId: side.rightId });
    else reading.loss('У левого элемента нет пары: подберите её в редакторе');
  }
  const shuffle = flag(question, 'shuffleanswers', true);
  return { ...base, kind: 'compliance', shuffle, left, right: [...right.values()], pairs };
};

const essay: Read = (question, base, reading) => {
  const answer = textOf(element(question, 'responseformat')).trim();
  const attachments = amount(question, 'attachments', 0);
  const isFile =
    answer === 'noinline' || (attachments !== 0 && amount(question, 'attachmentsrequired', 0) > 0);
  if (readText(element(question, 'graderinfo')) !== '')
    reading.loss('Заметки для проверяющего не переносятся');
  if (readText(element(question, 'responsetemplate')) !== '')
    reading.loss('Шаблон ответа не переносится');
  if (amount(question, 'minwordlimit', 0) > 0 || amount(question, 'maxwordlimit', 0) > 0)
    reading.loss('Границы числа слов не переносятся');
  if (!isFile) {
    if (attachments !== 0) reading.loss('Приложить файл к тексту ответа здесь нельзя');
    return { ...base, kind: 'open', input: 'text', accepted: [], tolerance: 0 };
  }
  if (answer !== 'noinline') reading.loss('Ответ – только файл, без текста рядом');
  if (attachments < 0)
    reading.loss(`Файлов можно было приложить сколько угодно, здесь – ${MAX_FILES_PER_QUESTION}`);
  const files = attachments < 0 ? MAX_FILES_PER_QUESTION : attachments;
  const several = files > 1 ? maxFilesIn(String(files), { push: reading.loss }) : {};
  const { accept, unknown } = acceptOf(textOf(element(question, 'filetypeslist')));
  if (unknown.length > 0)
    reading.loss(`Типы файлов не переносятся: ${unknown.join(', ').slice(0, 200)}`);
  const size = amount(question, 'maxbytes', 0);
  if (size > FILE_BYTES) reading.loss(`Файл ответа – не больше ${FILE_BYTES / 1024 / 1024} МБ`);
  const maxBytes = size >= 1 ? Math.min(FILE_BYTES, Math.floor(size)) : FILE_BYTES;
  return { ...base, kind: 'file', maxBytes, accept, ...several };
};

/** Items are in the right order. Moodle's types by name; version 1 of the plugin stored numbers. */
const ordering: Read = (question, base, reading) => {
  const grading = textOf(element(question, 'gradingtype')).trim();
  if (!/^(?:RELATIVE_NEXT_EXCLUDE_LAST|1)$/.test(grading))
    reading.loss(
      'Балл за часть порядка: за каждый пункт, за которым стоит следующий; в Moodle было иначе',
    );
  if (!/^(?:ALL|0|)$/.test(textOf(element(question, 'selecttype')).trim()))
    reading.loss('Расставить надо все пункты; в Moodle показывалась часть');
  if (elements(question, 'answer').some((one) => readText(element(one, 'feedback')) !== ''))
    reading.loss('Отзывы на пункты порядка не переносятся');
  return {
    ...base,
    kind: 'ordering',
    items: elements(question, 'answer').map((answer) => ({
      itemId: reading.newId(),
      text: fieldText(answer, reading, INLINE),
    })),
  };
};

/** Readers by Moodle’s name of a type. */
export const KINDS: Readonly<Record<string, Read | undefined>> = {
  multichoice,
  multichoiceset: multichoice,
  oumultiresponse: multichoice,
  truefalse,
  shortanswer,
  numerical,
  matching,
  match: matching,
  // The same elements, with pictures to drag.
  ddmatch: matching,
  ordering,
  essay,
};

/** The text of an unsupported question, so that a teacher recognizes it. */
export const excerpt = (question: XmlElement): string =>
  plainXhtml(
    readText(element(question, 'questiontext'))
      .slice(0, 2000)
      .replaceAll(/<[^>]*>/g, ' '),
  ) || readText(element(question, 'name'));
