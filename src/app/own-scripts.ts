/** The used part of Trusted Types; not every browser has it. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string }): unknown;
}

/**
 * Allows only scripts of this origin as workers under a content security policy with Trusted Types: every
 * script URL passes the default policy.
 */
export function allowOwnScriptsOnly(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin)
        throw new TypeError(`a script of another origin: ${url}`);
      return url;
    },
  });
}
