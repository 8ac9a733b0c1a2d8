/** Everything of a test but its questions. */
export function SettingsPage(_props: { testId: string }) {
  return null;
}
