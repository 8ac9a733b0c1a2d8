/** Resolves a picture's key to a blob URL. The caller caches and revokes it. */
export type ResolveImage = (key: string) => Promise<string>;

const FAILED = 'Картинка не загрузилась';

/**
 * Wraps each picture into a button that opens it whole, and sets its source once resolved; `data-loaded` tells that it
 * has its size.
 * Returns a function that forgets late answers.
 */
export function showPictures(root: ParentNode, resolve: ResolveImage | undefined): () => void {
  let current = true;
  for (const image of root.querySelectorAll<HTMLImageElement>('img[data-file]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset['picture'] = '';
    button.ariaLabel = `Открыть картинку${image.alt ? `: ${image.alt}` : ''}`;
    image.replaceWith(button);
    button.append(image);
    const fail = () => {
      if (!current) return;
      const words = document.createElement('span');
      words.dataset['missing'] = '';
      words.textContent = image.alt ? `${FAILED}: ${image.alt}` : FAILED;
      button.replaceWith(words);
    };
    if (!resolve) {
      fail();
      continue;
    }
    resolve(image.dataset['file'] ?? '').then((url) => {
      if (!current) return;
      // Only what the app itself fetched: a foreign address would reveal who opens the question, and when.
      if (url.startsWith('blob:')) image.src = url;
      else fail();
    }, fail);
    image.addEventListener('error', fail);
    image.addEventListener('load', () => (image.dataset['loaded'] = ''));
  }
  return () => {
    current = false;
  };
}
