/** «Журнал»: administrative acts. */
export function AuditPage() {
  return null;
}
