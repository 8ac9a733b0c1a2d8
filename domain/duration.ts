/** Milliseconds as `HH:mm:ss` of the wire, rounded down; never negative. Hours may pass 24. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const part = (n: number) => String(n).padStart(2, '0');
  return `${part(Math.floor(seconds / 3600))}:${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
}

/** `HH:mm:ss` of the wire as milliseconds. Expects a string that the contract has parsed. */
export function parseDuration(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
