/** So many pictures of this session are shown without asking the server for them. */
const MOST = 40;

const shown = new Map<string, string>();

/** Keeps a picture that was just uploaded, to be shown at once wherever its key stands. */
export function keepPicture(key: string, picture: Blob): void {
  shown.set(key, URL.createObjectURL(picture));
  const [oldest] = shown.keys();
  if (shown.size <= MOST || oldest === undefined) return;
  URL.revokeObjectURL(shown.get(oldest) ?? '');
  shown.delete(oldest);
}

/** As `resolve`, but pictures uploaded here are at hand already. */
export const withLocalPictures =
  (resolve: (key: string) => Promise<string>) =>
  async (key: string): Promise<string> =>
    shown.get(key) ?? (await resolve(key));
