/** Defined by the build. */
interface ImportMeta {
  readonly env: Readonly<Record<string, string | undefined>>;
}
