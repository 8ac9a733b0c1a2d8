import { exportStatistics } from '#contract/statistics.ts';
import { call } from '#app/api/call.ts';
import { chosenOf, type StatisticsSearch } from './statistics-search.ts';

/** Longer than the default timeout: thousands of attempts take time. */
const EXPORT_TIMEOUT_MS = 120_000;

/** Downloads the selected attempts as a file. Throws `ApiFailure`. */
export async function saveStatistics(
  testId: string,
  search: StatisticsSearch,
  format: 'xlsx' | 'csv',
): Promise<void> {
  const file = await call(
    exportStatistics,
    { params: { id: testId }, query: { ...chosenOf(search), format } },
    { timeoutMs: EXPORT_TIMEOUT_MS },
  );
  const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: file.mimeType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file.fileName;
  link.click();
  // By then the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
