/** The test as a student gets it. */
export function PreviewPage(_props: { testId: string }) {
  return null;
}
