/** Screens that only those open who make tests, at a desk and online: no student's device carries them. */
const EDITORS = [
  /\/src\/routes\/_signed\.(tests\.manage\.\$testId\.edit|bank)\b/,
  /\/src\/(drafts|questions\/(form|paste)|features\/(editor|bank|generation|ai|exchange))\//,
  /\/interchange\//,
];

/**
 * @typedef {{
 *   fileName: string, isEntry: boolean, facadeModuleId: string | null, moduleIds: readonly string[],
 *   imports: readonly string[], dynamicImports: readonly string[], css: readonly string[],
 * }} BuiltChunk
 */

/** @param {BuiltChunk} chunk */
const isEditor = ({ facadeModuleId, moduleIds }) =>
  [facadeModuleId, ...moduleIds].some(
    (id) => id !== null && EDITORS.some((editor) => editor.test(id.replaceAll('\\', '/'))),
  );

/**
 * Files of a build that nothing but the editors loads.
 * @param {readonly BuiltChunk[]} chunks all of the build
 * @returns {Set<string>} scripts and styles, as the build names them
 */
export function editorFiles(chunks) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  /** @type {Set<BuiltChunk>} */ const reached = new Set();
  /** @param {BuiltChunk | undefined} chunk */
  const reach = (chunk) => {
    if (!chunk || reached.has(chunk)) return;
    reached.add(chunk);
    for (const file of chunk.imports) reach(byFile.get(file));
    for (const file of chunk.dynamicImports) {
      const next = byFile.get(file);
      if (next && !isEditor(next)) reach(next);
    }
  };
  for (const chunk of chunks) if (chunk.isEntry) reach(chunk);
  const retained = new Set([...reached].flatMap(({ fileName, css }) => [fileName, ...css]));
  const files = chunks.flatMap(({ fileName, css }) => [fileName, ...css]);
  return new Set(files.filter((file) => !retained.has(file)));
}
