/** @typedef {{vulnerabilities?: Record<string, {severity: string}>}} NpmAudit */

/**
 * Packages with known vulnerabilities in the output of `npm audit --json`: `name (severity)`.
 * @param {string} printed
 * @returns {string[] | null} null: the registry did not answer the question
 */
export const readVulnerabilities = (printed) => {
  try {
    /** @type {NpmAudit} */
    const { vulnerabilities } = JSON.parse(printed);
    if (vulnerabilities === undefined) return null;
    return Object.entries(vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  } catch {
    return null;
  }
};
