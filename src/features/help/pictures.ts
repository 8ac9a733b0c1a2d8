import sizes from '#docs/help/pictures/sizes.json';

/** Addresses of the pictures by their path. */
const addresses = import.meta.glob<string>('/docs/help/pictures/*.png', {
  eager: true,
  query: '?url',
  import: 'default',
});
const knownSizes: Readonly<Record<string, { width: number; height: number }>> = sizes;

export interface HelpPicture {
  src: string;
  alt: string;
  /** CSS pixels. */
  width: number;
  height: number;
}

function pictureOf(name: string, alt: string): HelpPicture | null {
  const src = addresses[`/docs/help/pictures/${name}`];
  const size = knownSizes[name];
  return src === undefined || !size ? null : { src, alt, ...size };
}

/** A picture alone on its line. */
const PICTURE_LINE = /^!\[([^\]]*)\]\(pictures\/([\w-]+\.png)\)$/m;

/** Markdown of the help, in order: texts and the pictures of docs/help between them. */
export function splitPictures(text: string): (string | HelpPicture)[] {
  const [first = '', ...rest] = text.split(PICTURE_LINE);
  const parts: (string | HelpPicture)[] = [first.trim()];
  for (let at = 0; at < rest.length; at += 3) {
    const [alt = '', name = '', after = ''] = rest.slice(at, at + 3);
    parts.push(pictureOf(name, alt) ?? '', after.trim());
  }
  return parts.filter((part) => part !== '');
}
