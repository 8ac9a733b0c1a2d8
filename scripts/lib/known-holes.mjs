/** @typedef {{vulnerabilities?: Record<string, {severity: string}>}} NpmAudit */

/**
 * Packages with known holes by what `npm audit --json` printed: `name (severity)`.
 * @param {string} printed
 * @returns {string[] | null} null: the registry did not answer the question
 */
export const readKnownHoles = (printed) => {
  try {
    /** @type {NpmAudit} */
    const { vulnerabilities } = JSON.parse(printed);
    if (vulnerabilities === undefined) return null;
    return Object.entries(vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  } catch {
    return null;
  }
};
