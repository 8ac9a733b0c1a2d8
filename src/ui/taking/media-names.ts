const UNNAMED = /!\[\s*\]\(((?:audio-)?file:)/g;

/** Gives pictures and recordings without a description a name, so that no option is silent: «Картинка 2». */
export function nameMedia(text: string, place: number | string): string {
  let count = 0;
  return text.replace(UNNAMED, (_, scheme: string) => {
    count += 1;
    const name = scheme === 'file:' ? 'Картинка' : 'Запись';
    return `![${name} ${place}${count > 1 ? `.${count}` : ''}](${scheme}`;
  });
}
