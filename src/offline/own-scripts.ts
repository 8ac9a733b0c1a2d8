/** The part of Trusted Types that is used here; not every browser has it. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string }): unknown;
}

/**
 * Lets only scripts of this origin become workers, where the content security policy asks for
 * Trusted Types: the default policy is what every address of a script passes through.
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
