/** The questions of a test, in the mode that was chosen. */
export function TestContent(_props: { testId: string; mode: 'custom' | 'generate' | 'ai' }) {
  return null;
}
