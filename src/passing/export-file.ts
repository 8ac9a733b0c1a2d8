/** Offers text as a file to keep; the teacher can import it. */
export function saveTextFile(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'otvety.json';
  link.click();
  // The download has taken its own copy by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
