/** Resolves the key of a picture or a recording to a blob URL. The caller caches and revokes it. */
export type ResolveImage = (key: string) => Promise<string>;

/**
 * Wraps each picture into a button that opens it whole, and gives pictures and recordings their source once it is
 * resolved; `data-loaded` tells that a picture has its size.
 * Returns a function that forgets late answers.
 */
export function showPictures(root: ParentNode, resolve: ResolveImage): () => void {
  let current = true;
  const load = (shown: HTMLImageElement | HTMLAudioElement, box: Element, failed: string) => {
    const fail = () => {
      if (!current) return;
      const words = document.createElement('span');
      words.dataset['missing'] = '';
      words.textContent = failed;
      box.replaceWith(words);
    };
    resolve(shown.dataset['file'] ?? '').then((url) => {
      if (!current) return;
      // Only what the app itself fetched: a foreign address would reveal who opens the question, and when.
      if (url.startsWith('blob:')) shown.src = url;
      else fail();
    }, fail);
    shown.addEventListener('error', fail);
  };
  for (const image of root.querySelectorAll<HTMLImageElement>('img[data-file]')) {
    const { alt } = image;
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset['picture'] = '';
    button.ariaLabel = `Открыть картинку${alt && `: ${alt}`}`;
    image.replaceWith(button);
    button.append(image);
    load(image, button, `Картинка не загрузилась${alt && `: ${alt}`}`);
    image.addEventListener('load', () => (image.dataset['loaded'] = ''));
  }
  for (const player of root.querySelectorAll('audio'))
    load(player, player, 'Запись не загрузилась. Откройте вопрос ещё раз, когда появится связь');
  return () => {
    current = false;
  };
}
