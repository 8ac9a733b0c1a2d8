import type { Question } from '#contract/questions.ts';
import { areasPicture, isAnsweredOnPicture } from '#domain/areas.ts';
import { questionKindLabel } from '#domain/labels-kinds.ts';
import { languageLabel } from '#domain/languages.ts';
import { mapTexts } from '#domain/question-texts.ts';
import { withoutPictures } from './markdown-parts.ts';

export const AREAS_LOSS = 'областей на картинке не будет, останется список вариантов';

/** For formats in which a choice has no picture to tap on. */
function withoutAreas(question: Question): Question {
  if (!isAnsweredOnPicture(question)) return question;
  const options = question.options.map((option) => {
    const listed = { ...option };
    delete listed.area;
    return listed;
  });
  return { ...question, options };
}

const kindLoss = (question: Question) =>
  `вид «${questionKindLabel(question)}» этот формат не передаёт`;

/** The loss of a question with a kind that the format's writer does not know: it is left out. */
export const unknownKindLoss = (question: Question): string =>
  `не перенесён: ${kindLoss(question)}`;

/** The same on paper, where the question is printed with a line for the answer. */
export const unknownKindOnPaper = (question: Question): string =>
  `${kindLoss(question)}, на листе будут текст и строка для ответа`;

/** The loss of the language in formats that do not name one. The interface's language is no loss. */
export const languageLoss = (language: string | undefined): readonly string[] =>
  language === undefined || language === 'ru'
    ? []
    : [
        `Язык вопросов (${languageLabel(language)}) не переносится: выберите его в настройках теста, куда загрузите файл`,
      ];

const TRANSCRIPT_CARRIERS = 'Его переносят QTI и таблицы';

/** For formats without transcripts of recordings. */
export function withoutTranscripts(
  question: Question,
  number: number,
): { question: Question; losses: readonly string[] } {
  const { transcript: _, transcriptShown: __, passage, ...rest } = question;
  const lossOf = (
    name: string,
    { transcript, transcriptShown }: Pick<Question, 'transcript' | 'transcriptShown'>,
  ) =>
    transcript
      ? [
          `Вопрос ${number}: ${name}${transcriptShown ? ', открытый ученикам,' : ''} не перенесён. ${TRANSCRIPT_CARRIERS}`,
        ]
      : [];
  const losses = [
    ...lossOf('текст записи', question),
    ...(passage ? lossOf('текст записи из общего текста', passage) : []),
  ];
  const shared = passage && { passageId: passage.passageId, text: passage.text };
  return { question: { ...rest, ...(shared && { passage: shared }) }, losses };
}

/** Joins the transcripts of a question and of the text that is moved into it. Shown only if both were shown. */
function joinedTranscripts({ passage, transcript, transcriptShown = false }: Question) {
  const texts = [passage?.transcript, transcript].filter((text) => text);
  if (texts.length === 0) return { transcribed: {}, isJoined: false };
  const rules = [
    ...(passage?.transcript ? [passage.transcriptShown ?? false] : []),
    ...(transcript ? [transcriptShown] : []),
  ];
  return {
    transcribed: {
      transcript: texts.join('\n\n'),
      ...(rules.every(Boolean) ? { transcriptShown: true } : {}),
    },
    isJoined: Boolean(passage?.transcript),
  };
}

/** For formats without shared texts: the text becomes a part of each question's text, which is a loss. */
export function withPassageInText(
  question: Question,
  number: number,
): { question: Question; losses: string[] } {
  const { passage, transcript: _, transcriptShown: __, ...alone } = question;
  if (!passage) return { question, losses: [] };
  const { transcribed, isJoined } = joinedTranscripts(question);
  const merged = { ...alone, text: `${passage.text}\n\n${alone.text}`, ...transcribed };
  const losses = [
    `Вопрос ${number}: общий текст войдёт в текст вопроса`,
    ...(isJoined
      ? [
          `Вопрос ${number}: текст записи из общего текста войдёт в текст записи вопроса${
            'transcriptShown' in transcribed ? '' : ', ученикам его не покажут'
          }`,
        ]
      : []),
  ];
  // The areas would be on a picture of the shared text.
  const isCovered = isAnsweredOnPicture(merged) && areasPicture(passage.text) !== null;
  return isCovered
    ? { question: withoutAreas(merged), losses: [...losses, `Вопрос ${number}: ${AREAS_LOSS}`] }
    : { question: merged, losses };
}

/** The question without pictures, for formats that cannot contain them, and the losses. */
export function unillustrated(
  question: Question,
  number: number,
): { question: Question; losses: string[] } {
  let count = 0;
  const bare = mapTexts(question, (text) => {
    const bare = withoutPictures(text);
    count += bare.count;
    return bare.text;
  });
  const losses = [
    ...(isAnsweredOnPicture(bare) ? [`Вопрос ${number}: ${AREAS_LOSS}`] : []),
    ...(count === 0
      ? []
      : [
          `Вопрос ${number}: вместо рисунков и записей остались их описания. Их переносят форматы Moodle XML и QTI`,
        ]),
  ];
  return { question: withoutAreas(bare), losses };
}

/** Fields that the formats write or report themselves. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  [
    'questionId kind text points passage transcript transcriptShown explanation title topic difficulty tags',
    'variantOf origin credit input accepted tolerance multiple shuffle scoring options left right reuse pairs items',
    'gaps maxBytes accept maxFiles',
  ]
    .join(' ')
    .split(' '),
);

/** A line for each question with a field that no format knows, so that every loss is reported. */
export const unknownFieldLosses = (questions: readonly Question[]): string[] =>
  questions.flatMap((question, index) =>
    Object.entries(question).some(([name, value]) => value !== undefined && !KNOWN_FIELDS.has(name))
      ? [`Вопрос ${index + 1}: в нём есть сведения, которых файлы других систем не передают`]
      : [],
  );

/** Loss in formats that cannot express it, unless the key itself uses a right item twice. */
export const REUSE_LOSS = 'при обратном импорте повторять правые элементы будет нельзя';

/** A name for a file from a test's title. */
export function fileNameOf(title: string, extension: string): string {
  const stem = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
    .trim()
    .replace(/^\.+|\.+$/g, '');
  return `${stem === '' ? 'Тест' : stem}.${extension}`;
}
