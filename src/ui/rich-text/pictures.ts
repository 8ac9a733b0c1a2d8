/** Resolves the key of a picture or a recording to a blob URL. The caller caches and revokes it. */
export type ResolveImage = (key: string, isRecording?: boolean) => Promise<string>;

/**
 * Wraps each picture into a button that opens it in full size, unless `still`. Gives pictures and recordings their
 * source once it is resolved; `data-loaded` marks a picture that has its size. A recording that failed gets a button
 * that loads it again.
 * Returns a function that ignores late replies.
 */
export function showPictures(root: ParentNode, resolve: ResolveImage, still: boolean): () => void {
  let current = true;
  const load = (shown: HTMLImageElement | HTMLAudioElement, onFail: () => void) => {
    resolve(shown.dataset['file'] ?? '', shown instanceof HTMLAudioElement).then(
      (url) => {
        if (!current) return;
        // Only URLs that the app itself fetched: a foreign address would reveal who opens the question, and when.
        if (url.startsWith('blob:')) shown.src = url;
        else onFail();
      },
      () => {
        if (current) onFail();
      },
    );
  };
  for (const image of root.querySelectorAll<HTMLImageElement>('img[data-file]')) {
    const { alt } = image;
    const box = document.createElement(still ? 'span' : 'button');
    box.dataset['picture'] = '';
    if (box instanceof HTMLButtonElement) {
      box.type = 'button';
      box.lang = 'ru';
      box.ariaLabel = `Открыть картинку${alt && `: ${alt}`}`;
    }
    image.replaceWith(box);
    box.append(image);
    const fail = () => {
      const words = document.createElement('span');
      words.dataset['missing'] = '';
      words.lang = 'ru';
      words.textContent = `Картинка не загрузилась${alt && `: ${alt}`}`;
      box.replaceWith(words);
    };
    image.addEventListener('load', () => (image.dataset['loaded'] = ''));
    image.addEventListener('error', fail);
    load(image, fail);
  }
  for (const player of root.querySelectorAll('audio')) {
    const again = document.createElement('button');
    again.type = 'button';
    again.dataset['again'] = '';
    again.lang = 'ru';
    again.textContent = 'Запись не загрузилась. Загрузить ещё раз';
    const fail = () => player.replaceWith(again);
    again.addEventListener('click', () => {
      again.replaceWith(player);
      player.focus();
      load(player, fail);
    });
    player.addEventListener('error', fail);
    load(player, fail);
  }
  return () => {
    current = false;
  };
}
