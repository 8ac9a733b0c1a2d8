import { dirname } from 'node:path';
import ts from '@typescript/typescript6';
import { ScriptError, inProject } from './project.mjs';

/** @typedef {import('./mutants.mjs').MutationReport} MutationReport */

/** @param {string} source @param {{line: number, column: number}} position both from 1 */
const offsetOf = (source, { line, column }) => {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) start = source.indexOf('\n', start) + 1;
  return start + column - 1;
};

/**
 * Marks the changes of a report that TypeScript refuses in the file they stand in: nobody could
 * commit them. All changed copies of a file are one program, which infers the types around them once;
 * Stryker's own checker does so for each change, and takes a second for each.
 * @param {MutationReport} report changed in place: their status becomes «CompileError»
 * @param {string} tsconfig path inside the project
 */
export const markRefused = (report, tsconfig) => {
  const path = inProject(tsconfig);
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  // A name that nothing uses any longer is a matter of style.
  const compilerOptions = {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
  };
  const declarations = fileNames.filter((name) => name.endsWith('.d.ts'));
  /** @type {Map<string, ts.SourceFile | undefined>} */
  const parsed = new Map();
  for (const [name, { source, mutants }] of Object.entries(report.files)) {
    const original = inProject(name);
    /** @param {number} index */
    const copyName = (index) => original.replace(/\.(tsx?)$/, `.mutant-${index}.$1`);
    const copies = new Map([
      [original, source],
      ...mutants.map(({ location: { start, end }, replacement }, index) => {
        const text =
          source.slice(0, offsetOf(source, start)) +
          replacement +
          source.slice(offsetOf(source, end));
        return /** @type {const} */ ([copyName(index), text]);
      }),
    ]);
    const host = ts.createCompilerHost(compilerOptions);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (file) => copies.has(file) || fileExists(file);
    host.getSourceFile = (file, version) => {
      const text = copies.get(file);
      if (text !== undefined) return ts.createSourceFile(file, text, version, true);
      if (!parsed.has(file)) parsed.set(file, getSourceFile(file, version));
      return parsed.get(file);
    };
    const program = ts.createProgram([...declarations, ...copies.keys()], compilerOptions, host);
    /** @param {string} file */
    const isRefused = (file) => {
      const text = program.getSourceFile(file);
      return (
        program.getSyntacticDiagnostics(text).length > 0 ||
        program.getSemanticDiagnostics(text).length > 0
      );
    };
    if (isRefused(original)) throw new ScriptError(`Файл не собирается и без изменений: ${name}`);
    for (const [index, mutant] of mutants.entries())
      if (isRefused(copyName(index))) mutant.status = 'CompileError';
  }
};
