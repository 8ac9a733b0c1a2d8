/** Joining a class by its code. */
export function JoinPage(_props: { code: string }) {
  return null;
}
