/** «Витрина проектов» for administrators: hide, show, edit, delete. */
export function AdminProjectsPage() {
  return null;
}
