/** One class: members, join code, cards. */
export function GroupPage(_props: { groupId: string }) {
  return null;
}
