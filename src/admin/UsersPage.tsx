/** «Пользователи»: search, roles, blocks, passwords, new ones, import. */
export function UsersPage() {
  return null;
}
