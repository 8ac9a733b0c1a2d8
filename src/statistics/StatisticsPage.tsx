/** What became of a test: attempts, and whether its questions are good. */
export function StatisticsPage(_props: { testId: string }) {
  return null;
}
