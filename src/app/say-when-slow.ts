/** Waits for work and reports once that it takes long; never after it has succeeded or failed. */
export async function sayWhenSlow<T>(
  work: Promise<T>,
  afterMs: number,
  say: () => void,
): Promise<T> {
  const timer = setTimeout(say, afterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
