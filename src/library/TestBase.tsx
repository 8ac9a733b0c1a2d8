/** Tests open to everyone, with search, filters, sort and pages kept in the URL. */
export function TestBase(_props: { owner: string }) {
  return null;
}
