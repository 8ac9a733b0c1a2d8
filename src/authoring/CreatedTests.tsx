/** Tests that the teacher made. */
export function CreatedTests() {
  return null;
}
