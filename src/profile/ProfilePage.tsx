/** «Профиль»: name, password, sign-ins, own data. */
export function ProfilePage() {
  return null;
}
