import { withoutPictures } from './markdown-parts.ts';

const PICTURE_LOSS =
  'Рисунок не вложен в файл: вместо него осталось описание. Добавьте его в редакторе';

/** Markdown that came in: it may show no picture, as files of text carry none. */
export function importedText(text: string, losses: string[]): string {
  const bare = withoutPictures(text);
  if (bare.count > 0 && !losses.includes(PICTURE_LOSS)) losses.push(PICTURE_LOSS);
  return bare.text;
}

/** What the HTML reader needs where a file holds no pictures. */
export const carriedWithoutPictures = (losses: string[]) => ({
  picture: () => {
    if (!losses.includes(PICTURE_LOSS)) losses.push(PICTURE_LOSS);
    return null;
  },
  loss: (line: string) => {
    const loss = `Не перенесено полностью: ${line}`;
    if (!losses.includes(loss)) losses.push(loss);
  },
});
