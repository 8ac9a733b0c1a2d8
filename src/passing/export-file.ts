import { saveFile } from '#app/offline/files.ts';

/** Offers answers as a file to keep; the teacher can import it. */
export function saveAnswersFile(text: string): void {
  saveFile(new Blob([text], { type: 'application/json' }), 'otvety.json');
}
