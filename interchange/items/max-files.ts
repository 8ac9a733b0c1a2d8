import { MAX_FILES_PER_QUESTION } from '#contract/limits.ts';

/** How many files a question accepts, as a format writes it. Files above our limit are a loss. */
export function maxFilesIn(
  written: string | undefined,
  losses: { push: (line: string) => void },
): { readonly maxFiles?: number } {
  const count = Number(written ?? '');
  if (!Number.isInteger(count) || count < 1) return {};
  if (count > MAX_FILES_PER_QUESTION)
    losses.push(`Приложить можно ${MAX_FILES_PER_QUESTION} файлов, в файле было ${count}`);
  return { maxFiles: Math.min(count, MAX_FILES_PER_QUESTION) };
}
