/** Classes of the teacher. */
export function GroupsPage() {
  return null;
}
