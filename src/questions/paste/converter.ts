import { createPart } from '#app/ui/lazy/part.ts';

/** Converts the HTML of a clipboard; loaded with the first field that gets the focus. */
export const pasteConverter = createPart(
  () => import('#interchange/clipboard/pasted.ts'),
  ({ convertPasted, convertPastedLines, convertPastedPlain, pastedKey }) => ({
    convertPasted,
    convertPastedLines,
    convertPastedPlain,
    pastedKey,
  }),
);

export const UNREAD_NOTE =
  'Оформление не вставлено, остался простой текст: проверьте степени, индексы и формулы.';
