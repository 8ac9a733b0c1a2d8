import type { Paint } from '#app/lib/pictures/decode-picture.ts';
import type { Area, Question } from '#contract/questions.ts';
import { areasPicture, inReadingOrder, isAnsweredOnPicture } from '#domain/areas.ts';
import { formatAreaMark } from '#domain/format-areas.ts';
import { letterOf } from '#domain/format.ts';
import type { Size } from '#app/lib/pictures/prepare-picture.ts';

/** A picture with areas to draw on it, marked like their options on the sheet. */
export interface DrawnAreas {
  /** Key of the picture without them. */
  readonly source: string;
  readonly areas: readonly { readonly area: Area; readonly letter: string }[];
}

/**
 * Gives questions with areas on a picture a picture of their own, under a new key. An option that is only a mark on the
 * picture is printed as its letter.
 */
export function withDrawnAreas(
  questions: readonly Question[],
  newId: () => string,
): { questions: Question[]; drawn: ReadonlyMap<string, DrawnAreas> } {
  const drawn = new Map<string, DrawnAreas>();
  const shown = questions.map((question): Question => {
    if (!isAnsweredOnPicture(question)) return question;
    const picture = areasPicture(question.text);
    if (!picture) return question;
    const key = newId();
    const areas = inReadingOrder(question.options).flatMap(({ area }, index) =>
      area ? [{ area, letter: letterOf(index) }] : [],
    );
    drawn.set(key, { source: picture.key, areas });
    const options = question.options.map((option, index) =>
      option.area && formatAreaMark(option.text, index) === option.text.trim()
        ? { ...option, text: '' }
        : option,
    );
    const text = `${picture.before}![${picture.alt}](file:${key})${picture.after}`;
    return { ...question, text, options };
  });
  return { questions: shown, drawn };
}

/** Size of a mark as a share of the picture's width, so that it is legible on any sheet. */
const LETTER_SHARE = 0.035;
const MIN_LETTER_SIZE = 14;

/** Draws areas and their letters in black on white, since printers may have no other colours. */
export function drawAreas(
  context: Parameters<Paint>[0],
  { width, height }: Size,
  areas: DrawnAreas['areas'],
): void {
  const size = Math.max(MIN_LETTER_SIZE, Math.round(width * LETTER_SHARE));
  for (const { area } of areas) {
    const [x, y, w, h] = [
      area.left * width,
      area.top * height,
      area.width * width,
      area.height * height,
    ];
    context.beginPath();
    if (area.shape === 'rectangle') context.rect(x, y, w, h);
    else context.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, 2 * Math.PI);
    // A white line around a black one is visible on any picture.
    for (const [colour, line] of [
      ['#fff', size / 4],
      ['#000', size / 8],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = line;
      context.stroke();
    }
  }
  context.font = `bold ${size}px Arial, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { area, letter } of areas) {
    const side = size * 1.4;
    const x = Math.min(area.left * width, width - side);
    const y = Math.min(area.top * height, height - side);
    context.fillStyle = '#fff';
    context.fillRect(x, y, side, side);
    context.strokeStyle = '#000';
    context.lineWidth = Math.max(1, size / 12);
    context.strokeRect(x, y, side, side);
    context.fillStyle = '#000';
    context.fillText(letter, x + side / 2, y + side / 2);
  }
}
