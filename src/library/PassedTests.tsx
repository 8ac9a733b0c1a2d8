/** Tests on which the signed-in person has an attempt that is over. */
export function PassedTests(_props: { owner: string }) {
  return null;
}
