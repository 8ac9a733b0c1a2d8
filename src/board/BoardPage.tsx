/** How a running test goes. */
export function BoardPage(_props: { testId: string }) {
  return null;
}
